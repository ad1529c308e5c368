//! Gives `tradepost_fuzz::password` to the fuzzer.
#![cfg_attr(fuzzing, no_main)]

tradepost_fuzz::target!(password);
