//! Whole stories, told as a script with curl would live through them.

mod addresses;
mod demo;
mod keys;
mod second_factors;
