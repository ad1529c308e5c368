//! Tests of the whole, in one binary, since linking is what costs.

mod alerts;
mod architecture;
mod browser;
mod cases;
mod clients;
mod descriptor;
mod faults;
mod groups;
mod harness;
mod moving;
mod operations;
mod pages;
mod security;
mod steam;
mod stories;
mod tenancy;
mod upgrade;
