//! Gives `tradepost_fuzz::message` to the fuzzer.
#![cfg_attr(fuzzing, no_main)]

tradepost_fuzz::target!(message);
