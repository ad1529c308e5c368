//! Gives `tradepost_fuzz::email` to the fuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tradepost_fuzz::email(data));
