//! Gives `tradepost_fuzz::passkey` to the fuzzer.
#![cfg_attr(fuzzing, no_main)]

tradepost_fuzz::target!(passkey);
