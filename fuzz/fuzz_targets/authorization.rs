//! Gives `tradepost_fuzz::authorization` to the fuzzer.
#![cfg_attr(fuzzing, no_main)]

tradepost_fuzz::target!(authorization);
