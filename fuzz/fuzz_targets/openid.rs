//! Gives `tradepost_fuzz::openid` to the fuzzer.
#![cfg_attr(fuzzing, no_main)]

tradepost_fuzz::target!(openid);
