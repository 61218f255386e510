//! All tests of the report in one program.
