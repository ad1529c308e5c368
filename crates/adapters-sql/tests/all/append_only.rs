//! Links, transitions, versions of filter sets and contracts, entries of the ledger and what is audited are added and never changed, and the
//! places of transitions never moved: the databases themselves refuse it.

use sea_orm::ConnectionTrait as _;
use tradepost_domain::accounts::audit::{AuditHead, WaitingEvent};
use tradepost_domain::contracts::evaluation::Decision;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::Scene;

use crate::support::{TestStore, postgres, sqlite};

async fn refused(test: &TestStore, statement: &str) {
    let scene = Scene::founded(&test.store, 1).await;
    scene.item(&test.store, 3).await;
    let mut changes = Changes::by(&Caller::system());
    changes.append(AppendedRow::Transition(scene.samples.transition(scene.id(), Subject::Contract(scene.contract.id))));
    changes.append(AppendedRow::FilterSetVersion(scene.samples.filter_set(scene.id()).current()));
    changes.append(AppendedRow::Evaluation(scene.samples.evaluation(scene.id(), scene.contract.id, Decision::Buy)));
    changes.append(AppendedRow::Ledger(scene.samples.ledger_entry(scene.id(), None)));
    changes.insert(scene.samples.contract_version(&scene.contract, 1));
    let sealed = scene.samples.audited(scene.id());
    let waiting = WaitingEvent { log_id: sealed.event.home.log_id(), event_id: sealed.event.id, event: None };
    let (_, links) = AuditHead::empty(waiting.log_id).chain(&[waiting]);
    changes.append(AppendedRow::Audit(sealed));
    changes.append(AppendedRow::AuditLink(links[0]));
    test.store.commit(changes).await.unwrap();
    test.store.transitions().place().await.unwrap();
    let refused = test.place.connect().await.execute_unprepared(statement).await.unwrap_err();
    assert!(refused.to_string().contains("append-only"), "{refused}");
}

macro_rules! refuses {
    ($($name:ident: $statement:literal on $store:ident;)*) => {$(
        #[tokio::test]
        async fn $name() {
            refused(&$store().await, $statement).await;
        }
    )*};
}

refuses! {
    sqlite_refuses_to_change_a_link: "UPDATE asset_id_links SET asset_id = '1'" on sqlite;
    sqlite_refuses_to_delete_a_link: "DELETE FROM asset_id_links" on sqlite;
    sqlite_refuses_to_change_a_transition: "UPDATE transitions SET cause = 'other'" on sqlite;
    sqlite_refuses_to_delete_a_transition: "DELETE FROM transitions" on sqlite;
    sqlite_refuses_to_change_the_place_of_a_transition: "UPDATE transition_places SET position = 9" on sqlite;
    sqlite_refuses_to_change_a_version_of_a_filter_set: "UPDATE filter_set_versions SET rules = '{}'" on sqlite;
    sqlite_refuses_to_delete_a_version_of_a_filter_set: "DELETE FROM filter_set_versions" on sqlite;
    sqlite_refuses_to_change_a_version_of_a_contract: "UPDATE contract_versions SET name = 'other'" on sqlite;
    sqlite_refuses_to_delete_a_version_of_a_contract: "DELETE FROM contract_versions" on sqlite;
    sqlite_refuses_to_change_an_evaluation: "UPDATE evaluations SET decision = 2" on sqlite;
    sqlite_refuses_to_change_an_entry_of_the_ledger: "UPDATE ledger_entries SET at = 0" on sqlite;
    sqlite_refuses_to_delete_an_entry_of_the_ledger: "DELETE FROM ledger_entries" on sqlite;
    sqlite_refuses_to_change_an_audit_event: "UPDATE audit_events SET at = 0" on sqlite;
    sqlite_refuses_to_delete_an_audit_event: "DELETE FROM audit_events" on sqlite;
    sqlite_refuses_to_change_the_audit_chain: "UPDATE audit_chain SET sequence = 2" on sqlite;
    sqlite_refuses_to_delete_from_the_audit_chain: "DELETE FROM audit_chain" on sqlite;
    postgres_refuses_to_change_a_link: "UPDATE asset_id_links SET asset_id = '1'" on postgres;
    postgres_refuses_to_delete_a_link: "DELETE FROM asset_id_links" on postgres;
    postgres_refuses_to_truncate_links: "TRUNCATE asset_id_links" on postgres;
    postgres_refuses_to_change_a_transition: "UPDATE transitions SET cause = 'other'" on postgres;
    postgres_refuses_to_delete_a_transition: "DELETE FROM transitions" on postgres;
    postgres_refuses_to_truncate_transitions: "TRUNCATE transitions" on postgres;
    postgres_refuses_to_change_the_place_of_a_transition: "UPDATE transition_places SET subject_kind = 9" on postgres;
    postgres_refuses_to_truncate_the_places_of_transitions: "TRUNCATE transition_places" on postgres;
    postgres_refuses_to_change_a_version_of_a_filter_set: "UPDATE filter_set_versions SET rules = '{}'" on postgres;
    postgres_refuses_to_delete_a_version_of_a_filter_set: "DELETE FROM filter_set_versions" on postgres;
    postgres_refuses_to_truncate_versions_of_filter_sets: "TRUNCATE filter_set_versions" on postgres;
    postgres_refuses_to_change_a_version_of_a_contract: "UPDATE contract_versions SET name = 'other'" on postgres;
    postgres_refuses_to_delete_a_version_of_a_contract: "DELETE FROM contract_versions" on postgres;
    postgres_refuses_to_truncate_versions_of_contracts: "TRUNCATE contract_versions" on postgres;
    postgres_refuses_to_change_an_evaluation: "UPDATE evaluations SET decision = 2" on postgres;
    postgres_refuses_to_change_an_entry_of_the_ledger: "UPDATE ledger_entries SET at = 0" on postgres;
    postgres_refuses_to_delete_an_entry_of_the_ledger: "DELETE FROM ledger_entries" on postgres;
    postgres_refuses_to_truncate_the_ledger: "TRUNCATE ledger_entries" on postgres;
    postgres_refuses_to_change_an_audit_event: "UPDATE audit_events SET at = 0" on postgres;
    postgres_refuses_to_delete_an_audit_event: "DELETE FROM audit_events" on postgres;
    postgres_refuses_to_truncate_audit_events: "TRUNCATE audit_events" on postgres;
    postgres_refuses_to_change_the_audit_chain: "UPDATE audit_chain SET sequence = 2" on postgres;
    postgres_refuses_to_delete_from_the_audit_chain: "DELETE FROM audit_chain" on postgres;
    postgres_refuses_to_truncate_the_audit_chain: "TRUNCATE audit_chain" on postgres;
}
