//! Gives `tradepost_fuzz::message` to the fuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tradepost_fuzz::message(data));
