//! Gives `tradepost_fuzz::import` to the fuzzer.
#![cfg_attr(fuzzing, no_main)]

tradepost_fuzz::target!(import);
