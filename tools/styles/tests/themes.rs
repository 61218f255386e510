//! Each style plays its theme.
