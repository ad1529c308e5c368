//! The records of the interface as the command line has them: one table for each kind, with its commands, their flags, the
//! operations that they call and the columns of its lists.
//!
//! This module only describes. `perform` performs the commands and prints the results.

pub(crate) mod accounts;
pub(crate) mod alerts;
mod assignments;
mod audit;
pub(crate) mod column;
pub(crate) mod command;
pub(crate) mod contracts;
mod evaluations;
pub(crate) mod filter_sets;
pub(crate) mod flag;
pub(crate) mod intents;
pub(crate) mod inventory;
pub(crate) mod keys;
pub(crate) mod ledger;
pub(crate) mod members;
mod offers;
pub(crate) mod pools;
pub(super) mod prices;
mod providers;
mod purchases;
mod remediations;
mod search;
pub(crate) mod transitions;
mod webhooks;
mod workspace;

use column::Column;
use flag::Flag;

/// A command with its actions, such as `pools`.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// One action without a name is the command itself.
    pub(crate) actions: &'static [Action],
}

/// One thing that a command does: an operation, the fields of its request, and what is shown of the response.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Lines of the help behind the flags: `Example:` and one or several command lines.
    pub(crate) help: &'static str,
    pub(crate) operation: &'static str,
    pub(crate) flags: &'static [Flag],
    pub(crate) shows: Shows,
}

/// The operations whose effect no other operation undoes.
const FINAL: [&str; 18] = [
    "ArchivePool",
    "CancelContract",
    "CancelPurchase",
    "DeleteAccountGroup",
    "DeleteAlertChannel",
    "DeleteAlertRule",
    "DeleteAssignment",
    "DeleteContract",
    "DeleteFilterSet",
    "DeletePriceOverride",
    "DeleteProvider",
    "DeleteWebhookEndpoint",
    "DestroyWorkspaceKey",
    "RemoveAccount",
    "RemoveMembership",
    "RevokeAPIKey",
    "RevokeInvitation",
    "WriteOffItem",
];

impl Action {
    /// Whether a person at a terminal is asked before.
    pub(crate) fn is_final(&self) -> bool {
        self.operation.rsplit('/').next().is_some_and(|method| FINAL.contains(&method))
    }
}

/// What is done with a response.
#[derive(Debug)]
pub(crate) enum Shows {
    /// It lists ids page by page. The records behind them are rows.
    List(&'static Records),
    /// It has records, page by page.
    Pages(&'static str, &'static [Column]),
    /// It has records, all at once.
    Rows(&'static str, &'static [Column]),
    /// It has checks; what the one with this code found, a line for each part.
    Check(&'static str),
    /// Each entry of the ledger is a row for each of its legs.
    Legs,
    /// Two lists, each a table below its title.
    Two([(&'static str, &'static str, &'static [Column]); 2]),
    /// The record in this field, field by field; without a field the response.
    Whole(&'static str),
    /// An evaluation with its rules.
    Evaluation,
    /// The risk notice, a paragraph for each risk.
    Risks,
    /// The changed record is one row.
    One(&'static Records),
    /// The record is read first: these fields of it are replaced as a whole, so that flags change parts of them.
    Edited(&'static Records, &'static [&'static str]),
    /// A record of this section of a desk file, which is asked for on the terminal.
    Asked(&'static str),
    /// Nothing; the sentence is followed by the first argument.
    Done(&'static str),
    /// A secret that is shown once, in this field.
    Secret(&'static str),
    /// The result of a check: its sentence if it passed, and the failure if it did not.
    Verdict(&'static str, &'static str),
    /// The result of a check of laws: its sentence if all hold, and otherwise the failure with each that is broken.
    Laws(&'static str),
}

/// A kind of record: what lists and returns it, and what is shown of it.
#[derive(Debug)]
pub(crate) struct Records {
    /// What it is called: `contract`.
    pub(crate) noun: &'static str,
    /// The command that lists it.
    pub(crate) listed_by: &'static str,
    pub(crate) list: &'static str,
    /// The ids, in the response that lists them and in the request for the records.
    pub(crate) ids: &'static str,
    pub(crate) get: &'static str,
    /// Where the records are in a response with several.
    pub(crate) found: &'static str,
    /// Where the record is in a response with one. With `Id` behind it, the field of requests that names it.
    pub(crate) one: &'static str,
    /// The field by which users know it, if it has a name.
    pub(crate) name: Option<&'static str>,
    /// A read of each record that is added to its row: the operation, and the field of its response.
    pub(crate) added: Option<(&'static str, &'static str)>,
    pub(crate) columns: &'static [Column],
}

impl Records {
    /// The field of requests that names one record.
    pub(crate) fn id_field(&self) -> String {
        format!("{}Id", self.one)
    }
}

/// Users, who have names in every workspace that the caller is a member of.
pub(crate) static USERS: Records = Records {
    noun: "member",
    listed_by: "tradepost members list",
    list: "",
    ids: "userIds",
    get: "accounts.v1.Accounts/GetUsers",
    found: "users",
    one: "user",
    name: Some("displayName"),
    added: None,
    columns: &[],
};

/// The commands that consist of tables alone.
pub(crate) static GROUPS: [&Group; 31] = [
    &filter_sets::GROUP,
    &pools::GROUP,
    &accounts::GROUP,
    &accounts::groups::GROUP,
    &accounts::account_sessions::GROUP,
    &accounts::renewals::GROUP,
    &accounts::snapshots::GROUP,
    &accounts::inventory_changes::GROUP,
    &accounts::imports::GROUP,
    &accounts::confirmations::GROUP,
    &accounts::friends::GROUP,
    &accounts::chats::GROUP,
    &assignments::GROUP,
    &providers::GROUP,
    &prices::GROUP,
    &prices::overrides::GROUP,
    &prices::order_book::GROUP,
    &prices::observations::GROUP,
    &search::GROUP,
    &purchases::GROUP,
    &remediations::GROUP,
    &evaluations::GROUP,
    &intents::would_buys::GROUP,
    &offers::GROUP,
    &ledger::GROUP,
    &members::GROUP,
    &keys::GROUP,
    &audit::GROUP,
    &alerts::GROUP,
    &webhooks::GROUP,
    &workspace::GROUP,
];

/// The commands that have actions of their own in addition to those of their table.
static FLATTENED: [&Group; 4] = [&contracts::GROUP, &intents::GROUP, &inventory::GROUP, &transitions::GROUP];

/// The table of every command that has one.
pub(crate) fn tables() -> impl Iterator<Item = &'static Group> {
    GROUPS.into_iter().chain(FLATTENED)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_table_of_counts_ends_with_their_sum() {
        let has_sum = |columns: &[Column]| columns.iter().any(|column| column.is_summed);
        let lacks_sum = |action: &&Action| matches!(action.shows, Shows::Rows("counts", columns) if !has_sum(columns));
        let without = tables().flat_map(|table| table.actions).filter(lacks_sum);
        assert_eq!(without.map(|action| action.operation).collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn each_action_without_a_way_back_is_asked_about() {
        let methods = tables().flat_map(|table| table.actions).filter_map(|action| action.operation.rsplit('/').next());
        let one_way = |method: &&str| {
            ["Archive", "Delete", "Destroy", "Revoke", "WriteOff"].iter().any(|verb| method.starts_with(verb))
                || ["CancelContract", "CancelPurchase", "RemoveAccount", "RemoveMembership"].contains(method)
        };
        assert_eq!(methods.filter(one_way).collect::<BTreeSet<_>>(), BTreeSet::from(FINAL));
    }
}
