//! Gives `tradepost_fuzz::token` to the fuzzer.
#![cfg_attr(fuzzing, no_main)]

tradepost_fuzz::target!(token);
