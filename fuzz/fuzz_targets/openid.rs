//! Gives `tradepost_fuzz::openid` to the fuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tradepost_fuzz::openid(data));
