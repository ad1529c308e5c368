//! The clients that must keep working, each calling every operation: the generated Rust client with both of its codecs,
//! and an independent one by tonic. What they read is compared with what a script reads as JSON. Codecs know nothing of the
//! database, so one of the two is enough here.

mod copied_call;
mod every_operation;
mod generated;
mod grpc_web;
mod protocols;
mod receiver;
mod standard_services;
mod tonic_client;
