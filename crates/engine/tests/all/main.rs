//! The engine over the operations in memory and the simulated world.

mod desk;
mod faults;
mod killed;
mod loops;
