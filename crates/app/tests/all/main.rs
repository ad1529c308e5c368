//! The binary as its users meet it: its words, its exit codes, its server as a child process. And the library as an embedder
//! does: the example is run.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]

mod backups;
mod by_command;
mod care;
mod client;
mod command;
mod console;
mod demo;
mod demo_by_hand;
mod demo_shows;
mod desk;
mod edge;
mod embedding;
mod filled_demo;
mod golden;
mod healthcheck;
mod interface_pages;
mod keys;
mod killed_demo;
mod login;
mod monitoring;
mod names;
mod passwords;
mod recorded_desks;
mod restore;
mod service_manager;
mod serving;
mod shell_words;
mod sim;
mod sim_run;
mod social;
mod steam;
mod terminal;
mod trading;
mod upgrade;
mod users;
mod webhooks;
mod words;
