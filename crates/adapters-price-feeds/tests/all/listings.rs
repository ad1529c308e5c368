//! The feeds of listings against the facades of their services: what each reads, every fault of a read, and its pace.

mod account;
mod csfloat;
mod dmarket;
mod faults;
mod market;
mod market_csgo;
mod reads;
mod waxpeer;
