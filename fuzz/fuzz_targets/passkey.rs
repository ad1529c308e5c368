//! Gives `tradepost_fuzz::passkey` to the fuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tradepost_fuzz::passkey(data));
