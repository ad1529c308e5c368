//! The contract of storage: what every adapter promises, one function a promise.
//!
//! [`store_contract!`](crate::store_contract) makes a test of each, so that a report shows every promise by itself. A
//! promise gets a store of its own, empty and ready.
#![expect(missing_docs, reason = "a promise's name is the sentence that documents it")]

pub mod identities;
pub mod keys;
pub mod memberships;
pub mod second_factors;

use crate::changes::{Caller, Changes, Committed, Seen};
use crate::record::{AnyRecord, Record};
use crate::store::{Store, StoreResult};

/// What a promise is checked on: a store and whatever has to live as long, such as its directory.
pub trait Fixture {
    /// The store, empty at first.
    fn store(&self) -> &dyn Store;
}

impl<T: Store> Fixture for T {
    fn store(&self) -> &dyn Store {
        self
    }
}

/// Makes one `#[tokio::test]` of every promise. The expression gives a [`Fixture`], may await, and names something
/// that is in scope.
///
/// ```
/// # mod tests {
/// use tradepost_ports::testing::memory::MemoryStore;
///
/// tradepost_ports::store_contract!(MemoryStore::default());
/// # }
/// ```
#[macro_export]
macro_rules! store_contract {
    ($fixture:expr) => {
        $crate::store_promises! { $fixture;
            identities:
                an_unknown_user_is_none,
                a_user_is_read_back_whole,
                a_user_is_found_by_address_in_any_case,
                users_are_noticed_once_there_are_any,
                linked_identities_are_counted_by_user,
                an_email_link_is_found_by_its_digest_until_it_is_removed,
                an_email_link_of_every_purpose_is_read_back_whole;
            second_factors:
                a_user_without_records_has_no_factors,
                factors_follow_address_app_and_passkey,
                an_app_and_its_enrolment_are_read_back_whole,
                recovery_codes_are_read_back_whole,
                passkeys_are_listed_by_user_oldest_first,
                a_registration_is_read_back_whole,
                a_challenge_belongs_to_its_user,
                challenges_are_listed_by_key_oldest_first,
                a_grant_belongs_to_its_key;
            memberships:
                a_workspace_is_read_back_whole,
                an_unknown_workspace_is_none,
                a_membership_in_every_state_is_read_back_whole,
                memberships_of_another_workspace_are_never_seen,
                several_memberships_leave_out_what_is_not_there,
                a_member_is_found_while_the_membership_is_live,
                an_own_membership_is_found_in_any_workspace,
                an_invitation_is_own_by_verified_address_alone,
                own_memberships_are_counted_over_all_workspaces,
                live_memberships_of_a_user_are_listed_oldest_first,
                memberships_are_listed_by_status;
            keys:
                a_key_is_found_by_digest_with_what_bounds_it,
                a_revoked_key_is_still_found_by_digest,
                an_unknown_digest_is_none,
                a_key_of_another_workspace_is_never_seen,
                a_listing_shows_live_and_expired_keys_newest_first,
                a_listing_shows_the_hundred_keys_that_expired_last,
                live_keys_are_counted_apart,
                a_key_that_was_never_used_has_no_last_use,
                a_last_use_never_moves_back,
                a_use_changes_no_version,
                a_last_use_outlives_a_revision;
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! store_promises {
    ($fixture:expr; $($module:ident: $($promise:ident),+;)+) => {$(
        mod $module {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $promise() {
                    let fixture = $fixture;
                    $crate::testing::contracts::$module::$promise($crate::testing::contracts::Fixture::store(&fixture)).await;
                }
            )+
        }
    )+};
}

/// Changes that no key is behind.
pub(crate) fn system() -> Changes {
    Changes::by(&Caller::system())
}

/// Writes new records in one go.
async fn insert<const N: usize>(store: &dyn Store, records: [AnyRecord; N]) -> StoreResult<Committed> {
    let mut changes = system();
    for record in records {
        changes.insert(record);
    }
    store.commit(changes).await
}

/// Replaces a record by what `decide` makes of it.
async fn revise<T: Record>(store: &dyn Store, seen: Seen<T>, decide: impl FnOnce(T) -> T) -> StoreResult<Committed> {
    let mut changes = system();
    changes.revise(seen, |record| Ok::<_, std::convert::Infallible>(decide(record))).unwrap();
    store.commit(changes).await
}

/// Takes a record away.
async fn remove<T: Record>(store: &dyn Store, seen: Seen<T>) -> StoreResult<Committed> {
    let mut changes = system();
    changes.remove(seen);
    store.commit(changes).await
}

/// The record alone.
fn value<T: Record>(seen: Option<Seen<T>>) -> Option<T> {
    seen.map(|seen| seen.only_to_show().0)
}

/// The records alone.
fn values<T: Record>(seen: Vec<Seen<T>>) -> Vec<T> {
    seen.into_iter().map(|seen| seen.only_to_show().0).collect()
}

#[cfg(test)]
mod tests {
    /// A promise that the macro does not name would never be checked.
    #[test]
    fn every_promise_is_named_in_the_macro() {
        let list = include_str!("contracts.rs");
        let modules = [
            include_str!("contracts/identities.rs"),
            include_str!("contracts/keys.rs"),
            include_str!("contracts/memberships.rs"),
            include_str!("contracts/second_factors.rs"),
        ];
        let promises = modules.iter().flat_map(|module| module.split("\npub async fn ").skip(1));
        let names: Vec<&str> = promises.filter_map(|text| text.split('(').next()).collect();
        assert!(!names.is_empty());
        for name in names {
            let listed = list.lines().any(|line| line.trim().trim_end_matches([',', ';']) == name);
            assert!(listed, "{name} is not in the list of promises");
        }
    }
}
