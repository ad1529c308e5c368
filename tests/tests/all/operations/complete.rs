//! That the table of cases is whole: a row for every operation, and in each row the cases that fit it.

use std::collections::BTreeSet;

use tradepost_operations::Code;
use tradepost_operations::rules::{Access, RULES, Rule};

use crate::cases::{self, Case};
use crate::descriptor;

#[test]
fn descriptor_rules_and_cases_name_the_same_operations() {
    let described: BTreeSet<String> = descriptor::methods().iter().map(|method| method.name().to_owned()).collect();
    let ruled: BTreeSet<String> = RULES.iter().map(|rule| rule.method.to_owned()).collect();
    let cases = cases::all();
    let tested: BTreeSet<String> = cases.iter().map(|case| case.method.to_owned()).collect();
    assert_eq!(described, ruled);
    assert_eq!(described, tested);
    assert_eq!(cases.len(), tested.len(), "an operation has two rows");
}

#[test]
fn every_operation_that_asks_for_a_right_is_refused_without_it() {
    for case in cases::all() {
        let asks_for_a_right = match Rule::of(case.method).unwrap().access {
            Access::AnyOf(_) | Access::User | Access::Session | Access::Member => true,
            Access::Public | Access::Key | Access::ItselfOr(_) => false,
        };
        assert!(!asks_for_a_right || has(&case, Code::PermissionDenied), "{}", case.method);
    }
}

#[test]
fn every_operation_on_one_record_is_refused_where_there_is_none() {
    const NOT_OF_A_WORKSPACE: [&str; 5] = ["workspaceId", "enrollmentId", "challengeId", "linkId", "platformUserId"];
    for case in cases::all() {
        let names_a_record =
            case.required.iter().any(|field| field.ends_with("Id") && !NOT_OF_A_WORKSPACE.contains(field));
        assert!(!names_a_record || has(&case, Code::NotFound), "{}", case.method);
    }
}

#[test]
fn every_change_of_what_is_there_is_refused_in_a_wrong_state() {
    // What they create has no state yet, a session can be ended, trading be halted and a provider be tested in whichever state it is,
    // a report of leaked keys is answered alike whatever they are, and an endpoint or alert channel is tested and has its events repeated
    // also while it is disabled. A delivery that is pending is not sent again: the tests of webhooks have one.
    // A conversation is read in any state. Accounts that are removed, without chat or not signed in are in the tests of the operations.
    const CREATE: [&str; 18] = [
        "BeginLinkedSignIn",
        "BeginPasskeyRegistration",
        "BeginPasskeySignIn",
        "BulkAccounts",
        "CloneContract",
        "CreateAccountGroup",
        "CreateAlertRule",
        "CreateContract",
        "CreateFilterSet",
        "CreatePool",
        "CreateSnapshot",
        "CreateWorkspace",
        "RecordMarketObservations",
        "RefreshAccount",
        "RefreshConfirmations",
        "RefreshTradeOffers",
        "RequestRenewal",
        "SignIn",
    ];
    const IN_ANY_STATE: [&str; 13] = [
        "MarkConversationRead",
        "RefreshFriends",
        "ReplayWebhookEvents",
        "ReportLeakedAPIKey",
        "ResendWebhookDelivery",
        "RevokeOtherSessions",
        "RevokeSession",
        "SendMessage",
        "SendTestAlert",
        "SendTestEvent",
        "SetTradingHalt",
        "SignOut",
        "TestProvider",
    ];
    let in_any_state = |method: &str| CREATE.contains(&method) || IN_ANY_STATE.contains(&method);
    for case in cases::all().iter().filter(|case| !descriptor::is_read(case.method) && !in_any_state(case.method)) {
        assert!(has(case, Code::FailedPrecondition), "{}", case.method);
    }
}

#[test]
fn every_required_id_is_among_the_cases() {
    for case in cases::all() {
        for (field, _) in descriptor::id_fields(&descriptor::method(case.method).input()) {
            let is_filter = ["List", "Count", "Watch"].iter().any(|verb| case.method.starts_with(verb));
            let of_either = match case.method {
                "EstimateSale" => field == "inventoryItemId",
                "EvaluateContract" => field == "inventoryItemId" || field == "observationId",
                "BulkAccounts" => field == "accountGroupId",
                "CreateAssignment" => field.starts_with("account"),
                "GetWouldBuyReport" => field == "contractId",
                "SendTradeOffer" => field == "intentId",
                "TestFilterSet" => field == "observationIds",
                _ => false,
            };
            let is_narrowed = case.method.contains("ProfitAndLoss") && field != "inventoryItemId";
            let is_optional = of_either
                || is_filter
                || is_narrowed && field != "workspaceId"
                || ["filterSetId", "poolId"].contains(&field.as_str()) && case.method.ends_with("Contract");
            assert!(is_optional || case.required.contains(&field.as_str()), "{}.{field}", case.method);
        }
    }
}

#[test]
fn only_documented_codes_are_observed() {
    for case in cases::all() {
        for refusal in &case.refusals {
            let documented = documented_codes(case.method);
            assert!(documented.contains(&refusal.code), "{} answers {:?}", case.method, refusal.code);
        }
    }
}

fn has(case: &Case, code: Code) -> bool {
    case.refusals.iter().any(|refusal| refusal.code == code)
}

/// The error statuses of part 4 of the interface; every operation can be sent a request that is malformed.
fn documented_codes(method: &str) -> Vec<Code> {
    use Code::{AlreadyExists, FailedPrecondition, InvalidArgument, NotFound, PermissionDenied};
    let mut codes =
        vec![Code::Unauthenticated, PermissionDenied, Code::ResourceExhausted, Code::Internal, InvalidArgument];
    codes.extend(match method {
        "AcceptMembership" => [FailedPrecondition, NotFound].as_slice(),
        "AddEmailCredential" | "ChangeEmail" => &[FailedPrecondition, AlreadyExists],
        "BeginPasskeyRegistration" | "CountAPIKeys" | "ListAPIKeys" => &[],
        "BeginStepUp" | "ChangePassword" | "CreateAPIKey" => &[FailedPrecondition],
        // Not shown there.
        _ => &[FailedPrecondition, NotFound, AlreadyExists],
    });
    codes
}
