//! The operations of the interface, group by group: a story of each of the 36, through the released program.

mod deals;
mod desk;
mod identity;
mod platform;
mod still_demo;

use std::fs;
use std::path::Path;

use serde_json::Value;

pub(crate) use still_demo::StillDemo;

/// Each group, the file of its story, and the test that is the story.
const GROUPS: [(&str, &str, &str); 36] = [
    ("Account Groups", "groups/desk.rs", "accounts_are_put_into_a_group_and_taken_out_of_it"),
    ("Account Linking", "groups/identity.rs", "a_user_of_another_platform_gets_an_address_and_unlinks_the_platform"),
    (
        "Accounts",
        "stories/trading_accounts.rs",
        "the_engine_reads_an_account_on_request_and_several_are_disabled_at_once",
    ),
    ("API Keys", "groups/identity.rs", "a_key_is_created_narrowed_rotated_and_revoked"),
    ("Assignments", "groups/desk.rs", "an_account_works_for_a_pool_in_the_roles_that_it_is_assigned_to"),
    ("Chat", "stories/chat.rs", "a_message_is_sent_once_and_read_as_plain_text_by_its_partner"),
    (
        "Confirmations",
        "stories/confirmations.rs",
        "the_engine_allows_the_confirmations_of_its_own_offers_and_shows_every_check",
    ),
    ("Contract Evaluation", "groups/desk.rs", "a_contract_says_why_it_would_buy_a_listing_or_not"),
    ("Contracts", "groups/desk.rs", "a_contract_is_drafted_activated_changed_paused_copied_and_cancelled"),
    ("Credentials", "groups/identity.rs", "a_user_changes_password_and_address"),
    ("Filter Sets", "groups/desk.rs", "rules_are_tried_on_samples_and_each_version_of_them_is_kept"),
    (
        "Friends",
        "stories/friends.rs",
        "a_partner_who_asks_for_friendship_is_accepted_blocked_and_unblocked_by_the_engine",
    ),
    ("Import", "stories/imports.rs", "a_folder_of_authenticator_files_becomes_accounts_of_the_desk"),
    ("Intents", "groups/desk.rs", "a_person_approves_rejects_and_cancels_what_a_contract_proposes"),
    ("Inventory", "groups/deals.rs", "the_chain_of_an_item_goes_on_and_a_missing_item_is_written_off"),
    (
        "Inventory Changes",
        "stories/inventory_changes.rs",
        "the_trades_of_the_engine_explain_what_changes_in_the_inventories",
    ),
    ("Market Observations", "groups/desk.rs", "a_listing_that_was_seen_is_recorded_once_and_is_in_the_order_book"),
    ("Memberships", "groups/identity.rs", "an_invited_user_accepts_is_suspended_and_reinstated_and_leaves"),
    ("Passkeys", "groups/identity.rs", "a_passkey_signs_its_user_in_until_it_is_deleted"),
    ("Permissions", "groups/identity.rs", "a_key_can_do_what_its_permissions_say_and_nothing_else"),
    ("Pools", "groups/desk.rs", "money_is_paid_into_a_pool_and_taken_out_of_it"),
    ("Pricing", "groups/desk.rs", "a_person_sets_a_price_in_place_of_the_one_of_the_sources"),
    ("Profit and Loss", "groups/deals.rs", "what_was_earned_is_the_same_by_every_grouping_and_entries_sum_to_zero"),
    ("Providers", "groups/desk.rs", "a_marketplace_is_put_on_record_disabled_enabled_and_deleted"),
    ("Purchases", "groups/deals.rs", "a_purchase_is_cancelled_looked_up_and_refunded_by_hand"),
    ("Remediations", "groups/deals.rs", "a_problem_is_assigned_and_resolved_and_another_is_dismissed"),
    ("Renewals", "groups/platform.rs", "a_person_has_a_token_renewed_and_cancels_the_next_renewal"),
    ("Sessions", "groups/platform.rs", "an_account_is_signed_out_and_in_again_by_its_stored_password"),
    ("Snapshots", "stories/snapshots.rs", "a_person_asks_for_a_snapshot_and_reads_its_items"),
    ("Trade Offers", "groups/platform.rs", "the_offers_of_a_trade_are_shown_and_one_of_a_person_is_cancelled"),
    ("Transitions", "groups/deals.rs", "a_change_of_status_is_listed_and_comes_to_who_waits_for_it"),
    ("Two-Factor", "groups/identity.rs", "an_authenticator_app_takes_the_place_of_mailed_codes"),
    ("Usage", "groups/identity.rs", "the_calls_of_a_key_are_counted"),
    ("Users", "groups/identity.rs", "a_stranger_signs_up_and_deletes_the_account_in_the_end"),
    ("Workspace Keys", "groups/identity.rs", "secrets_move_under_a_new_key_and_the_old_one_is_destroyed"),
    ("Workspaces", "groups/identity.rs", "a_workspace_is_opened_halted_deleted_and_restored"),
];

#[test]
fn every_group_has_a_story_through_the_released_program() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
    for (group, file, test) in GROUPS {
        let text = fs::read_to_string(tests.join(file)).unwrap();
        let is_there = text.contains(&format!("async fn {test}()"));
        assert!(is_there && (text.contains("StillDemo") || text.contains("LiveDemo")), "no story of {group}: {test}");
    }
}

/// The text of a field.
#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

/// The entries of a field; none where it is absent, as an empty list is.
fn entries(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}
