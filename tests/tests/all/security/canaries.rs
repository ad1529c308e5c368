//! Secrets that go through the system and are found nowhere behind it: not in the log at its most talkative, not in the database, and not in the
//! answer of a call that is refused. Each is searched as it is, in hex, in base 64 and percent-encoded.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::Value;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::cases::{self, Case, Worlds, merged};
use crate::harness::{World, on_both_databases};

/// Fields of requests and answers that hold secrets.
const SECRET_FIELDS: [&str; 20] = [
    "apiKey",
    "code",
    "credential",
    "currentPassword",
    "identitySecret",
    "loginName",
    "login_name",
    "newPassword",
    "otpauthUrl",
    "passphrase",
    "password",
    "rawKey",
    "recoveryCodes",
    "revocationCode",
    "secret",
    "sessionToken",
    "sharedSecret",
    "shared_secret",
    "token",
    "tokens",
];
/// The field of what is uploaded: JSON with secrets in it.
const UPLOAD: &str = "content";
/// The operations whose requests or answers have texts of chats.
const CHATS: [&str; 2] = ["GetMessages", "SendMessage"];
/// A shorter secret may be in a log or a table by chance, as part of a number.
const LONG_ENOUGH: usize = 12;

on_both_databases! {
    long on_postgresql;

    async fn no_secret_of_any_operation_is_logged_or_stored_in_the_clear(database) {
        let log = Log::of_everything();
        let (mut secrets, mut stored, mut refused) = (Vec::new(), Vec::new(), String::new());
        let worlds = Worlds::on(database).await;
        for case in cases::all() {
            worlds.enter(&case, async |world| {
                secrets.extend(world.people.keys.tokens().map(str::to_owned));
                let request = case.ready(world).await;
                gather(&request, &mut secrets);
                let answer = world.call(case.by, case.method, &request).await.ok();
                gather(&answer, &mut secrets);
                if CHATS.contains(&case.method) {
                    gather_texts(&request, &mut secrets);
                    gather_texts(&answer, &mut secrets);
                }
                refused.push_str(&refusals(world, &case, &request, &mut secrets).await);
                secrets.extend(world.mailbox.secrets());
                stored.push(world.contents().await.into_values().flatten().collect::<String>());
            }).await;
        }
        // What ends says something, too.
        worlds.end().await;
        secrets.retain(|secret| secret.len() >= LONG_ENOUGH);
        secrets.sort();
        secrets.dedup();
        let (log, stored) = (log.taken(), stored.concat());
        assert!(log.contains("GetPurchase"), "nothing was logged");
        assert!(refused.contains("failed_precondition"), "nothing was refused");
        let sizes = [&log, &stored, &refused].map(String::len);
        println!("{} secrets looked for in {sizes:?} bytes of log, rows and refusals", secrets.len());
        assert!(secrets.len() > 75, "only {} secrets were seen", secrets.len());
        let search = Search::of(&secrets);
        for (place, text) in [("log", &log), ("database", &stored), ("answer of a refused call", &refused)] {
            search.assert_clean(place, text);
        }
    }
}

/// Every form of every secret, by its first bytes: a text of megabytes is read once for all of them.
pub(crate) struct Search(HashMap<Vec<u8>, Vec<String>>);

impl Search {
    pub(crate) fn of(secrets: &[String]) -> Self {
        let mut by_start = HashMap::<Vec<u8>, Vec<String>>::new();
        for form in secrets.iter().flat_map(|secret| forms_of(secret)) {
            by_start.entry(form.as_bytes()[..LONG_ENOUGH].to_vec()).or_default().push(form);
        }
        Self(by_start)
    }

    pub(crate) fn assert_clean(&self, place: &str, text: &str) {
        let bytes = text.as_bytes();
        for (at, start) in bytes.windows(LONG_ENOUGH).enumerate() {
            for form in self.0.get(start).into_iter().flatten() {
                assert!(!bytes[at..].starts_with(form.as_bytes()), "in the {place}: {form}");
            }
        }
    }
}

/// The answers of the calls of a case that are refused. One that succeeds because another call has prepared it is gathered from instead.
async fn refusals(world: &World, case: &Case, request: &Value, secrets: &mut Vec<String>) -> String {
    let mut refused = String::new();
    for refusal in &case.refusals {
        let request = merged(request.clone(), &(refusal.change)(world));
        gather(&request, secrets);
        let answer = world.call(refusal.by, case.method, &request).await;
        if answer.status == 200 {
            gather(&answer.json(), secrets);
        } else {
            refused.push_str(&answer.body);
        }
    }
    refused
}

/// The texts of chat messages, which are sealed as secrets are.
fn gather_texts(message: &Value, secrets: &mut Vec<String>) {
    match message {
        Value::Object(fields) => {
            secrets.extend(fields.get("text").map(texts).into_iter().flatten());
            fields.values().for_each(|value| gather_texts(value, secrets));
        }
        Value::Array(values) => values.iter().for_each(|value| gather_texts(value, secrets)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The texts in secret fields, wherever they are in a message.
fn gather(message: &Value, secrets: &mut Vec<String>) {
    match message {
        Value::Object(fields) => {
            for (name, value) in fields {
                if SECRET_FIELDS.contains(&name.as_str()) {
                    secrets.extend(texts(value));
                } else if name == UPLOAD {
                    gather(&uploaded(value), secrets);
                } else {
                    gather(value, secrets);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, secrets)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The JSON of an upload; null for anything else.
fn uploaded(content: &Value) -> Value {
    let bytes = content.as_str().and_then(|text| STANDARD.decode(text).ok());
    bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

/// As a log, a table or an address may have it. Databases print bytes in hex, SQLite in capital letters; what ends in padding is found without.
fn forms_of(secret: &str) -> BTreeSet<String> {
    let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    BTreeSet::from([
        secret.to_owned(),
        hex.to_uppercase(),
        hex,
        STANDARD_NO_PAD.encode(secret),
        URL_SAFE_NO_PAD.encode(secret),
        percent_encoded(secret),
    ])
}

/// As in the query of an address.
fn percent_encoded(secret: &str) -> String {
    let one = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    secret.bytes().map(one).collect()
}

/// Everything that the process logs, at TRACE.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn of_everything() -> Self {
        let log = Self::default();
        tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_ansi(false).with_writer(log.clone()).init();
        log
    }

    fn taken(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
