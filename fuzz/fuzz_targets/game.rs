#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| outflank_fuzz_laws::game::hold(bytes));
