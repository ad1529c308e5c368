//! What each operation answers, to the letter. Secrets, which differ from run to run, are shown by their form.

use serde_json::Value;

use crate::cases::{self, Case, Worlds};
use crate::harness::on_both_databases;

on_both_databases! {
    long on_postgresql;

    async fn every_operation_answers_with_all_its_fields(database) {
        let worlds = Worlds::on(database).await;
        for case in cases::all() {
            worlds.enter(&case, async |world| {
                let request = case.ready(world).await;
                let answer = world.call(case.by, case.method, &request).await;
                assert_golden(&case, request, answer.ok());
            }).await;
        }
        worlds.end().await;
    }

    async fn every_change_answers_the_same_under_an_idempotency_key_and_once_more(database) {
        let worlds = Worlds::on(database).await;
        let mut not_again = Vec::new();
        for case in cases::all().into_iter().filter(|case| !crate::descriptor::is_read(case.method)) {
            let method = case.method;
            let is_answered_again = &mut false;
            worlds.enter(&case, async |world| {
                let request = case.ready(world).await;
                let call = || world.client.call_under("one", world.token(case.by), method, &request);
                let (answer, again) = (call().await, call().await);
                // A link that is appended under a key is decided on its item, and its id is made later.
                if method == "AppendAssetIDLink" {
                    answer.ok();
                } else {
                    assert_golden(&case, request.clone(), answer.ok());
                }
                *is_answered_again = again.header("idempotency-replayed").is_some();
                assert!(!*is_answered_again || again.body == answer.body, "{method}");
            }).await;
            if !*is_answered_again {
                not_again.push(method);
            }
        }
        worlds.end().await;
        assert_eq!(not_again, NOT_ANSWERED_AGAIN);
    }
}

/// What a second call under the same key does not get the first answer of: the credential that it comes with no longer opens
/// anything, or the call changes nothing, or nothing that a second one would change again.
const NOT_ANSWERED_AGAIN: [&str; 6] =
    ["ReportLeakedAPIKey", "GetInvitation", "LeaveWorkspace", "SignOut", "RevokeSession", "DeleteUser"];

/// Compares a call and its answer with what is kept of it; the same for every client, protocol and database.
pub(crate) fn assert_golden(case: &Case, request: Value, answer: Value) {
    let shown = format!("{:#}\n\n{:#}", form(request), form(answer));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(case.method, shown));
}

/// A message with its secrets replaced by their form.
fn form(mut message: Value) -> Value {
    visit(&mut message);
    message
}

fn visit(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                visit(value);
                if let Some(form) = form_of(name, value) {
                    *value = Value::String(form);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(visit),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The form of a field that holds something random; `None` for the others and for a value that has not the form.
fn form_of(name: &str, value: &Value) -> Option<String> {
    let text = value.as_str().unwrap_or_default();
    let is = |prefix: &str, length: usize| text.starts_with(prefix) && text.len() == length;
    match name {
        "rawKey" if is("tpk_", 50) => Some("tpk_ and 46 characters".to_owned()),
        "keyPrefix" if is("tpk_", 12) => Some("tpk_ and 8 characters".to_owned()),
        // It names the root secret, and the version of a record is a number.
        "sessionCookie" if text.starts_with("__Host-tps-") => {
            Some(format!("__Host-tps-… of {} characters", text.len()))
        }
        "version" if text.contains('.') => Some("the version of the program".to_owned()),
        "sessionToken" if is("tps_", 50) => Some("tps_ and 46 characters".to_owned()),
        "deviceToken" if text.len() > 16 => Some(format!("{} characters", text.len())),
        "token" if is("tpe_", 50) => Some("tpe_ and 46 characters".to_owned()),
        "token" if is("tpi_", 50) => Some("tpi_ and 46 characters".to_owned()),
        // Of a detail of an audit event.
        "value" if is("tpk_", 12) => Some("tpk_ and 8 characters".to_owned()),
        // The prefix of a key, which is random, is part of what was hashed.
        "hash" if is("", 44) => Some("32 bytes".to_owned()),
        "secret" if is("whsec_", 50) => Some("whsec_ and 44 characters".to_owned()),
        "secretHint" if is("", 4) => Some("4 characters".to_owned()),
        "durationMs" => Some("some milliseconds".to_owned()),
        "secret" if is("", 32) => Some("32 characters".to_owned()),
        "otpauthUrl" if text.starts_with("otpauth://totp/") => Some("otpauth://totp/…".to_owned()),
        "code" if text.bytes().all(|byte| byte.is_ascii_digit()) => Some(format!("{} digits", text.len())),
        "authorizationUrl" if text.starts_with("https://discord.example.com/?state=") => {
            Some("https://…?state=…".to_owned())
        }
        "options" if text.starts_with(r#"{"publicKey":{"#) => Some("{\"publicKey\":{…}}".to_owned()),
        "credential" => Some("the authenticator's answer".to_owned()),
        "tokens" => {
            let lengths: Vec<usize> =
                value.as_array()?.iter().map(|token| token.as_str().map_or(0, str::len)).collect();
            Some(format!("texts of {lengths:?} characters"))
        }
        "recoveryCodes" => {
            let lengths: Vec<usize> = value.as_array()?.iter().map(|code| code.as_str().map_or(0, str::len)).collect();
            Some(format!("texts of {lengths:?} characters"))
        }
        _ => None,
    }
}
