//! What a server calls outside, at facades of the services on this machine.

mod control;
mod own_server;
mod real_prices;
mod steam;
