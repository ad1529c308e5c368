//! The binary as its users meet it: its words, its exit codes, its server as a child process. And the library as an embedder
//! does: the example is run.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

mod care;
mod command;
mod demo;
mod embedding;
mod keys;
mod serving;
mod sim;
mod users;
mod words;
