//! Gives `tradepost_fuzz::cursor` to the fuzzer.
#![cfg_attr(fuzzing, no_main)]

tradepost_fuzz::target!(cursor);
