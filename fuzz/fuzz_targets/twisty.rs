#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| deepen_fuzz::read_and_write_back("twisty", data));
