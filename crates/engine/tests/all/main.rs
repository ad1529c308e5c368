//! The engine over the operations in memory and the simulated world.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed expectation ends the test")]

mod abroad;
mod absence;
mod accounts;
mod attacks;
mod balances;
mod breakers;
mod buyers;
mod deals;
mod deciding;
mod desk;
mod doubt;
mod faults;
mod inventories;
mod killed;
mod late;
mod limits;
mod loops;
mod lost_answers;
mod moody;
mod nodes;
mod owed;
mod problems;
mod providers;
mod reached;
mod reversed;
mod rounds;
mod settling;
mod shapes;
mod shop;
mod slow_calls;
mod stalling;
mod stepping;
mod stub;
mod two_markets;
mod values;
