//! Gives `tradepost_fuzz::token` to the fuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tradepost_fuzz::token(data));
