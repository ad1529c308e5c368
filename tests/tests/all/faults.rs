//! What happens when something breaks: nothing that was acknowledged is lost, and what cannot be done is said clearly.

mod alerts;
mod backlog;
mod chainers;
mod cluster;
mod cutter;
mod disk;
mod frozen;
mod imports;
mod killed;
mod ledger;
mod outages;
mod power_cuts;
mod power_cuts_of_postgres;
mod races;
mod races_for_room;
mod receiver;
mod replicas;
mod shim;
mod shutdown;
mod two_nodes;
mod two_servers;
mod unanswered;
mod unflushed;
mod valve;
mod webhooks;
