//! What happens when something breaks: nothing that was acknowledged is lost, and what cannot be done is said clearly.

mod chainers;
mod killed;
mod ledger;
mod outages;
mod races;
mod races_for_room;
mod shutdown;
mod two_nodes;
mod two_servers;
mod valve;
