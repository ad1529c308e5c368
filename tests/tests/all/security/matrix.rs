//! Who may call what: every operation by every kind of caller, against a table that was written from the design and not from the
//! program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use prost_reflect::{Kind, MessageDescriptor, MethodDescriptor};
use serde_json::json;
use tradepost_domain::accounts::policy::Policy;
use tradepost_operations::rules::{Access, Rule, StepUp};

use super::callers::{CALLERS, Crowd, proven_admin};
use crate::cases::{self, Case};
use crate::descriptor;
use crate::harness::{Answer, Database, Key, Mould, World};

/// A row for each operation, a column for each caller: `u` unauthenticated, `d` denied, `s` asked for a second factor, `a`
/// admitted, whether or not the call succeeds then.
///
/// `acts_as` says on whose credentials the operation acts: those of the `caller`'s own user, those of the `holder` of a password,
/// a link in a mail or another proof, those of any user, which it only `ends` or `narrows`, those of a record of the `workspace`,
/// or none (`-`).
const TABLE: &str = include_str!("matrix.csv");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_read_admits_whom_the_table_names_and_nobody_else() {
    let crowd = Crowd::gathered(World::new(Database::Sqlite).await).await;
    let mut wrong = String::new();
    for (case, row) in rows().into_iter().filter(|(case, _)| descriptor::is_read(case.method)) {
        let request = case.ready(&crowd.world).await;
        let mut seen = String::new();
        for caller in 0..CALLERS.len() {
            seen.push(outcome(&crowd.call(caller, case.method, &request).await));
        }
        compare(&case, &row, &seen, &mut wrong);
    }
    assert!(wrong.is_empty(), "not as the table says:\n{wrong}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_mutation_admits_whom_the_table_names_and_nobody_else() {
    let (mould, mut wrong) = (Mould::of(Database::Sqlite).await, String::new());
    for (case, row) in rows().into_iter().filter(|(case, _)| !descriptor::is_read(case.method)) {
        let crowd = Crowd::gathered(mould.cast().await).await;
        let request = case.ready(&crowd.world).await;
        let mut seen = vec![' '; CALLERS.len()];
        let expected: Vec<char> = row.chars().collect();
        // A rejected caller changes nothing; so all of them share a world, and come before those that change something.
        let (admitted, refused): (Vec<_>, Vec<_>) =
            (0..CALLERS.len()).partition(|caller| expected.get(*caller) == Some(&'a'));
        for caller in refused.into_iter().chain(admitted) {
            seen[caller] = outcome(&crowd.call(caller, case.method, &request).await);
            if expected.get(caller).is_some_and(|expected| *expected != seen[caller]) {
                // An admitted caller may have changed what this caller is.
                let crowd = Crowd::gathered(mould.cast().await).await;
                let request = case.ready(&crowd.world).await;
                seen[caller] = outcome(&crowd.call(caller, case.method, &request).await);
            }
        }
        compare(&case, &row, &seen.into_iter().collect::<String>(), &mut wrong);
    }
    assert!(wrong.is_empty(), "not as the table says:\n{wrong}");
}

#[test]
fn the_table_has_a_row_for_each_operation_and_a_column_for_each_caller() {
    let mut lines = TABLE.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[..2], ["operation", "acts_as"]);
    assert_eq!(header[2..], CALLERS);
    let methods: Vec<&str> = lines.map(|line| line.split(',').next().unwrap()).collect();
    let mut described: Vec<String> = descriptor::methods().iter().map(|method| method.name().to_owned()).collect();
    described.sort();
    assert_eq!(methods, described);
    assert!(methods.len() * CALLERS.len() >= 1_500, "{} cases", methods.len() * CALLERS.len());
}

#[test]
fn a_key_of_one_policy_is_admitted_only_where_the_rule_of_the_operation_names_it() {
    let columns: Vec<&str> = TABLE.lines().next().unwrap().split(',').collect();
    for line in TABLE.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let rule = Rule::of(row[0]).unwrap();
        let Access::AnyOf(policies) = rule.access else { continue };
        for policy in Policy::ALL {
            let column = columns.iter().position(|name| *name == format!("key_of_{}", policy.name())).unwrap();
            // A rule can name more policies than one request needs: which ones depends on the subject of a transition.
            assert!(row[column] == "d" || policies.has(policy), "{} for {}", rule.method, policy.name());
        }
    }
}

/// Words in the names of fields that hold a credential.
const WORDS_OF_SECRETS: [&str; 9] =
    ["code", "cookie", "credential", "key", "otpauth", "passphrase", "password", "secret", "token"];

/// Fields of answers with such a word that hold none: names, hints and public keys, codes of findings, the account that a row of an
/// import is about, and the token of a trade URL, by which others send an account their offers.
const NO_SECRETS: [&str; 14] = [
    "accounts.v1.APIKey.key_prefix",
    "accounts.v1.BotCheck.site_key",
    "accounts.v1.GetServerInfoResponse.session_cookie",
    "alerts.v1.AlertChannel.secret_hint",
    "contracts.v1.EvaluationReason.code",
    "contracts.v1.ProfitAndLossRow.key",
    "contracts.v1.RuleCount.code",
    "events.v1.WebhookEndpoint.secret_hint",
    "markets.v1.ProviderCheck.code",
    "trading.v1.Account.trade_token",
    "trading.v1.AccountCheck.code",
    "trading.v1.ConfirmationCheck.code",
    "trading.v1.ImportReason.code",
    "trading.v1.ImportRow.key",
];

#[test]
fn an_answer_with_a_secret_acts_as_caller_holder_or_workspace() {
    let acts_as = acts_as();
    for method in descriptor::methods() {
        let (secrets, as_whom) = (secrets_of(&method), acts_as[method.name()]);
        let is_known = ["caller", "holder", "workspace"].contains(&as_whom);
        assert!(secrets.is_empty() || is_known, "{} answers {secrets:?} and acts as {as_whom}", method.name());
    }
}

#[test]
fn a_secret_of_the_workspace_needs_a_policy_there_and_a_second_factor() {
    let acts_as = acts_as();
    for method in descriptor::methods().iter().filter(|method| acts_as[method.name()] == "workspace") {
        let rule = Rule::of(method.name()).unwrap();
        assert!(matches!(rule.access, Access::AnyOf(_)) && rule.step_up != StepUp::No, "{}", rule.method);
        assert!(method.input().get_field_by_name("workspace_id").is_some(), "{}", rule.method);
        assert!(!secrets_of(method).is_empty(), "{} answers no secret of the workspace", rule.method);
        // A secret of a person is never the workspace's.
        assert_ne!(method.parent_service().package_name(), "accounts.v1", "{}", rule.method);
    }
}

#[test]
fn what_holds_no_secret_in_spite_of_its_name_is_in_an_answer() {
    let methods = descriptor::methods();
    let named: BTreeSet<String> = methods.iter().flat_map(|method| named_like_secrets(&method.output())).collect();
    for known in NO_SECRETS {
        assert!(named.contains(known), "no answer has {known}");
    }
}

/// The fields of a method's answer that hold a secret, also those of the messages in it.
fn secrets_of(method: &MethodDescriptor) -> Vec<String> {
    let named = named_like_secrets(&method.output());
    named.into_iter().filter(|field| !NO_SECRETS.contains(&field.as_str())).collect()
}

/// The fields in an answer whose name has a word of secrets, but for identifiers.
fn named_like_secrets(answer: &MessageDescriptor) -> BTreeSet<String> {
    let (mut named, mut known, mut waiting) = (BTreeSet::new(), BTreeSet::new(), vec![answer.clone()]);
    while let Some(message) = waiting.pop() {
        let is_new = known.insert(message.full_name().to_owned());
        for field in message.fields().filter(|_| is_new) {
            let kind = field.kind();
            if let Some(inner) = kind.as_message() {
                waiting.push(inner.clone());
            } else if matches!(kind, Kind::String | Kind::Bytes) && is_named_like_a_secret(field.name()) {
                named.insert(field.full_name().to_owned());
            }
        }
    }
    named
}

fn is_named_like_a_secret(field: &str) -> bool {
    let is_id = field.ends_with("_id") || field.ends_with("_ids");
    !is_id && field.split('_').any(|word| WORDS_OF_SECRETS.contains(&word.trim_end_matches('s')))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admin_with_a_second_factor_acts_on_no_credential_of_the_owner() {
    let (mould, acts_as) = (Mould::of(Database::Sqlite).await, acts_as());
    for case in cases::all().into_iter().filter(|case| ["caller", "narrows"].contains(&acts_as[case.method])) {
        let ids = descriptor::id_fields(&descriptor::method(case.method).input());
        if !ids.iter().any(|(name, _)| name != "workspaceId") {
            continue;
        }
        let world = mould.cast().await;
        let request = case.ready(&world).await;
        let refused = world.client.call(Some(&proven_admin(&world).await), case.method, &request).await;
        let (status, _, reason) = refused.refusal();
        assert!((400..500).contains(&status), "{}: {refused:?}", case.method);
        let is_key = case.method.ends_with("APIKey");
        assert_eq!(reason == "KEY_OF_ANOTHER", is_key, "{}: {refused:?}", case.method);
        world.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_secret_of_a_key_acts_as_the_user_to_whom_it_was_answered() {
    let mould = Mould::of(Database::Sqlite).await;
    for method in ["CreateAPIKey", "RotateAPIKey"] {
        let (world, case) = (mould.cast().await, cases::named(method));
        let answered = world.call(Key::Full, method, &case.ready(&world).await).await.ok();
        let of_workspace = json!({ "workspaceId": world.people.workspace_id.to_string() });
        let user = async |token| world.client.call(token, "GetEffectivePermissions", &of_workspace).await.ok();
        let (new, own) = (user(answered["rawKey"].as_str()).await, user(Some(world.token(Key::Full))).await);
        assert_eq!(new["userId"], own["userId"], "{method}");
        world.end().await;
    }
}

/// As whom each operation acts.
fn acts_as() -> BTreeMap<&'static str, &'static str> {
    let of = |line: &'static str| {
        let mut row = line.split(',');
        (row.next().unwrap(), row.next().unwrap())
    };
    TABLE.lines().skip(1).map(of).collect()
}

/// The cases with what is expected of each caller; nothing for an operation without a row.
fn rows() -> Vec<(Case, String)> {
    let mut expected: BTreeMap<&str, String> = TABLE
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap())
        .map(|(method, row)| (method, row.split_once(',').unwrap().1.replace(',', "")))
        .collect();
    cases::all()
        .into_iter()
        .map(|case| (expected.remove(case.method).unwrap_or_default(), case))
        .map(|(row, case)| (case, row))
        .collect()
}

fn outcome(answer: &Answer) -> char {
    if answer.status == 200 {
        return 'a';
    }
    let (status, _, reason) = answer.refusal();
    assert!(status < 500, "{answer:?}");
    match reason.as_str() {
        "UNAUTHENTICATED" => 'u',
        "PERMISSION_DENIED" | "KEY_OF_ANOTHER" => 'd',
        "STEP_UP_REQUIRED" => 's',
        _ => 'a',
    }
}

fn compare(case: &Case, expected: &str, seen: &str, wrong: &mut String) {
    if expected != seen {
        let row = seen.chars().map(String::from).collect::<Vec<_>>().join(",");
        writeln!(wrong, "{},{},{row}", case.method, acts_as()[case.method]).unwrap();
    }
}
