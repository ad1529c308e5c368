//! Trading at Steam, over its facades on this machine: what the engine makes of every fault of every call that changes something, wherever its
//! process ends, a day of a fleet, and where secrets are not.

mod clocks;
mod desk;
mod fleet;
mod killed;
mod mortal;
mod no_secrets;
mod program;
mod records;
mod vault;
mod writes;
