//! A real server for a test: in the test's own process, on a real socket, over a fresh database with known records.

mod accounts;
mod alerts;
mod answer;
mod confirmations;
mod contents;
mod database;
mod desk;
mod imports;
mod inventories;
mod keys;
mod mailbox;
mod mould;
mod passkey;
mod people;
pub(crate) mod platform;
mod program;
mod providers;
mod sessions;
mod settled;
mod social;
mod steps;
mod trade_offers;
mod webhooks;
mod workspace_keys;
mod world;

pub(crate) use answer::{Answer, Client};
pub(crate) use confirmations::WaitingFor;
pub(crate) use contents::Audited;
pub(crate) use database::{Database, Place, url_of};
pub(crate) use desk::{Desk, Trading};
pub(crate) use keys::Key;
pub(crate) use mailbox::Mailbox;
pub(crate) use mould::Mould;
pub(crate) use passkey::{Authenticator, changed};
pub(crate) use people::{
    CHAT_IDENTITY, CHAT_SUBJECT, COPIED_PASSKEY, MEMBER, OTHER, OWNER, PASSWORD, ROOT_SECRET, enrol_authenticator,
    issued, member_of, registered, session_of,
};
pub(crate) use platform::{Manner, Platform, REDIRECT};
pub(crate) use program::program;
pub(crate) use providers::{TESTED, on_record};
pub(crate) use settled::{Settled, open};
pub(crate) use social::PARTNER;
pub(crate) use trade_offers::TRADE;
pub(crate) use workspace_keys::{ACTIVE_KEY, DESTROYED_KEY, EMPTY_KEY, FOREIGN_KEY, Kept, USED_KEY, place_of};
pub(crate) use world::{ORIGIN, Preparation, Served, Setup, World, generous, unknown_id};

/// Makes two tests of each promise: one on SQLite, one on PostgreSQL. Behind `long on_postgresql;` the promises take long, and are kept on
/// PostgreSQL by `cargo xtask nightly`; `long on_sqlite;` is the other way round.
macro_rules! on_both_databases {
    (long on_postgresql; $($promises:tt)*) => {
        crate::harness::on_one_and_long_on_the_other! { on_sqlite Sqlite, on_postgresql Postgres, $($promises)* }
    };
    (long on_sqlite; $($promises:tt)*) => {
        crate::harness::on_one_and_long_on_the_other! { on_postgresql Postgres, on_sqlite Sqlite, $($promises)* }
    };
    ($($(#[$about:meta])* async fn $promise:ident($database:ident) $body:block)*) => {$(
        mod $promise {
            use super::*;

            $(#[$about])*
            async fn promise($database: crate::harness::Database) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_sqlite() {
                promise(crate::harness::Database::Sqlite).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_postgresql() {
                promise(crate::harness::Database::Postgres).await;
            }
        }
    )*};
}
pub(crate) use on_both_databases;

macro_rules! on_one_and_long_on_the_other {
    (
        $quick:ident $one:ident, $slow:ident $other:ident,
        $($(#[$about:meta])* async fn $promise:ident($database:ident) $body:block)*
    ) => {$(
        mod $promise {
            use super::*;

            $(#[$about])*
            async fn promise($database: crate::harness::Database) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $quick() {
                promise(crate::harness::Database::$one).await;
            }

            mod long {
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $slow() {
                    super::promise(crate::harness::Database::$other).await;
                }
            }
        }
    )*};
}
pub(crate) use on_one_and_long_on_the_other;
