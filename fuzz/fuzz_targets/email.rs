//! Gives `tradepost_fuzz::email` to the fuzzer.
#![cfg_attr(fuzzing, no_main)]

tradepost_fuzz::target!(email);
