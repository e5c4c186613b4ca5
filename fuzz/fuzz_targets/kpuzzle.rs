#![no_main]

// What begins with a brace is read as JSON.
libfuzzer_sys::fuzz_target!(|data: &[u8]| deepen_fuzz::define(&[b"{", data].concat()));
