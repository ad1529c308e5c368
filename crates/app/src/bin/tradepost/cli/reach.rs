//! Which operations of the interface have a command: each is in a table, is called by a command, or is listed here with the reason.

use std::collections::BTreeSet;

use tradepost_operations::rules::{Access, RULES, Rule};

use super::written;
use crate::client::records::{Action, Shows, tables};

/// Operations that commands call which are in no table, or by more than a table says.
static CALLED: [(&str, &[&str]); 10] = [
    ("contracts explain", &["EvaluateContract"]),
    ("contracts simulate", &["SimulateContract"]),
    ("halt", &["SetTradingHalt"]),
    ("intents approve", &["ApproveIntent"]),
    ("inventory chain", &["ListAssetIDLinks"]),
    ("ledger", &["GetLedgerEntries"]),
    ("members list", &["GetUsers"]),
    ("pnl", &["ExportProfitAndLoss", "GetEquitySeries", "GetProfitAndLoss", "GetProfitAndLossSeries"]),
    ("pools fund", &["BeginStepUp", "CompleteStepUp"]),
    ("transitions tail", &["WatchTransitions"]),
];

/// Operations that only `tradepost call` reaches, with the reason.
static ONLY_BY_CALL: [(&str, &[&str]); 6] = [
    (
        "the list of the records shows how many there are",
        &[
            "CountAPIKeys",
            "CountAccounts",
            "CountAlertChannels",
            "CountAlertRules",
            "CountContracts",
            "CountFilterSets",
            "CountIntents",
            "CountInventoryChanges",
            "CountMarketObservations",
            "CountMemberships",
            "CountPools",
            "CountSnapshots",
            "CountTradeOffers",
            "CountWebhookEndpoints",
        ],
    ),
    (
        "a list in JSON has all of each record",
        &["GetAlertRule", "GetPrices", "GetTrade", "GetTransition", "GetUser", "ListPolicies"],
    ),
    ("`remediations run ID append_link` appends with evidence", &["AppendAssetIDLink"]),
    ("programs report what they saw", &["RecordMarketObservations", "ReportLeakedAPIKey"]),
    ("a command asks for a code, and a browser for a passkey", &["BeginStepUpPasskey", "GetStepUpStatus"]),
    ("a code by e-mail is sent again by the next try of the command", &["ResendStepUpCode"]),
];

/// Operations of a user who signs in, of the own account and in person: the console has them, because commands have a key and no session.
static OF_A_SIGNED_IN_USER: [&str; 50] = [
    "AcceptMembership",
    "AddEmailCredential",
    "BeginAccountLink",
    "BeginLinkedSignIn",
    "BeginPasskeyRegistration",
    "BeginPasskeySignIn",
    "BeginTOTPEnrollment",
    "CancelEmailChange",
    "ChangeEmail",
    "ChangePassword",
    "CompleteSignIn",
    "ConfirmEmailChange",
    "ConfirmTOTPEnrollment",
    "CreateWorkspace",
    "DeclineMembership",
    "DeletePasskey",
    "DeleteUser",
    "DeleteWorkspace",
    "DisableTOTP",
    "FinishAccountLink",
    "FinishLinkedSignIn",
    "FinishPasskeyRegistration",
    "FinishPasskeySignIn",
    "GetCurrentUser",
    "GetInvitation",
    "GetServerInfo",
    "GetTwoFactorStatus",
    "LeaveWorkspace",
    "ListCredentials",
    "ListLinkedAccounts",
    "ListMyAuditEvents",
    "ListPasskeys",
    "ListSessions",
    "ListWorkspaces",
    "RegenerateRecoveryCodes",
    "RequestPasswordReset",
    "ResendEmailVerification",
    "ResetPassword",
    "RestoreWorkspace",
    "RevertEmailChange",
    "RevokeOtherSessions",
    "RevokeSession",
    "SignIn",
    "SignOut",
    "SignUp",
    "TransferWorkspaceOwnership",
    "UnlinkAccount",
    "UpdatePasskey",
    "UpdateUser",
    "VerifyEmail",
];

/// The methods that an action of a table calls.
fn called_by(action: &Action) -> Vec<&'static str> {
    let mut operations = vec![action.operation];
    if let Shows::List(records) | Shows::One(records) | Shows::Edited(records, _) = &action.shows {
        operations.extend([records.list, records.get]);
        operations.extend(records.added.map(|(operation, _)| operation));
    }
    operations.into_iter().filter_map(|operation| Some(operation.split_once('/')?.1)).collect()
}

#[test]
fn every_operation_has_a_command_or_a_reason_to_have_none() {
    let of_tables: BTreeSet<&str> = tables().flat_map(|group| group.actions).flat_map(called_by).collect();
    let elsewhere = CALLED.iter().chain(&ONLY_BY_CALL).flat_map(|(_, methods)| *methods).chain(&OF_A_SIGNED_IN_USER);
    let elsewhere: Vec<&str> = elsewhere.copied().collect();
    let methods = RULES.iter().map(|rule| rule.method);
    let missing: Vec<&str> =
        methods.filter(|method| !of_tables.contains(method) && !elsewhere.contains(method)).collect();
    assert!(missing.is_empty(), "no command calls {missing:?}");
    let listed_twice: Vec<&&str> = elsewhere.iter().filter(|method| of_tables.contains(**method)).collect();
    assert!(listed_twice.is_empty(), "tables have {listed_twice:?} as well");
    let unknown: Vec<&&str> = elsewhere.iter().filter(|method| Rule::of(method).is_none()).collect();
    assert!(unknown.is_empty(), "there is no operation {unknown:?}");
}

#[test]
fn what_only_a_signed_in_user_does_is_what_the_policies_of_a_workspace_do_not_open() {
    let is_of_a_workspace = |rule: &&Rule| matches!(rule.access, Access::AnyOf(_) | Access::ItselfOr(_));
    let wrong: Vec<&str> = OF_A_SIGNED_IN_USER
        .iter()
        .filter_map(|method| Rule::of(method))
        .filter(is_of_a_workspace)
        .map(|rule| rule.method)
        .collect();
    assert_eq!(wrong, Vec::<&str>::new());
}

#[test]
fn the_commands_that_call_operations_of_no_table_exist() {
    let mut command_line = written::command_line();
    for (command, _) in CALLED {
        let words: Vec<String> = format!("tradepost {command} --help").split(' ').map(str::to_owned).collect();
        assert_eq!(written::mistake(&mut command_line, &words), None);
    }
}
