//! Mobile confirmations: the list of those that wait, and answers to them. Each call is signed by the identity secret of the account, which the
//! driver never has.

mod answer;

use std::time::Duration;

use secrecy::ExposeSecret as _;
use serde_json::Value;
use tradepost_adapters_outside::{RequiredShape, ServiceAnswer};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{ConfirmationKey, ConfirmationTag, TokenVault};
use tradepost_ports::game_platform::{Confirmation, ConfirmationHandle, PlatformRefusal, PlatformResult};

use crate::account;
use crate::reading::{
    Entry, FLAG, MAYBE_ARRAY, NUMBER, OBJECT, json, known, needed, signed_out, unknown, whole_seconds,
};
use crate::remembered::Remembered;
use crate::routes::CONFIRMATIONS;
use crate::services::Services;
use crate::signed_in::{SignedIn, leads_to_sign_in};
use crate::writing::not_done;

pub(crate) use answer::{AnswerTimes, answer};

/// What the driver needs of the list. The texts are for people, and may have any form.
const LIST: &[RequiredShape] = &[
    needed("$", OBJECT),
    needed("$.success", FLAG),
    known("$.conf", MAYBE_ARRAY),
    known("$.conf[]", OBJECT),
    needed("$.conf[].id", NUMBER),
    needed("$.conf[].type", NUMBER),
    needed("$.conf[].creator_id", NUMBER),
    needed("$.conf[].nonce", NUMBER),
    needed("$.conf[].creation_time", NUMBER),
];

/// The reason why the confirmations of an account are not read.
const NOT_STORED: &str = "the identity secret of the account is not stored: confirmations are not read";

/// How long it is remembered that the identity secret of an account is not stored.
const WITHOUT_KEY_LASTS: Duration = Duration::from_mins(10);

/// Accounts whose identity secret was not stored when their list was asked for. Of them the vault is asked before the time: the engine asks for
/// a list every 10 s, and each would read the time of Steam in vain.
#[derive(Debug)]
pub(crate) struct WithoutKey(Remembered<()>);

impl Default for WithoutKey {
    fn default() -> Self {
        Self(Remembered::for_a_time(WITHOUT_KEY_LASTS))
    }
}

/// Reads the confirmations that wait for an answer of the account. The vault makes one key for it.
pub(crate) async fn confirmations(
    services: &Services,
    vault: &dyn TokenVault,
    user: PlatformUserId,
    without_key: &WithoutKey,
) -> PlatformResult<Vec<Confirmation>> {
    if without_key.0.of(user).is_some() {
        // Whether there is a key does not depend on the time.
        key_of(vault, user, Timestamp::MAX).await?;
        without_key.0.forget(user);
    }
    let listed = listed(services, vault, user).await;
    if matches!(listed, Err(ExternalError::Rejected(PlatformRefusal::NotDone(_)))) {
        without_key.0.keep(user, ());
    }
    listed
}

async fn listed(
    services: &Services,
    vault: &dyn TokenVault,
    user: PlatformUserId,
) -> PlatformResult<Vec<Confirmation>> {
    let account = SignedIn::of(services, vault, user).await?;
    let at = account::server_time(services).await?;
    let key = key_of(vault, user, at).await?;
    read(&list(&account, &key, at).await?)
}

async fn key_of(vault: &dyn TokenVault, user: PlatformUserId, at: Timestamp) -> PlatformResult<ConfirmationKey> {
    let key = vault.confirmation_key(user, at).await.map_err(|closed| unknown(closed.to_string()))?;
    key.ok_or_else(|| not_done(NOT_STORED))
}

async fn list(account: &SignedIn<'_>, key: &ConfirmationKey, at: Timestamp) -> PlatformResult<ServiceAnswer> {
    let (user, time) = (account.user().to_string(), whole_seconds(at).to_string());
    let query = [
        ("p", key.device_id.as_str()),
        ("a", user.as_str()),
        ("k", key.key.expose_secret()),
        ("t", time.as_str()),
        ("m", "react"),
        ("tag", ConfirmationTag::List.word()),
    ];
    account.read_list(CONFIRMATIONS, &query).await
}

fn read(answer: &ServiceAnswer) -> PlatformResult<Vec<Confirmation>> {
    if leads_to_sign_in(answer) {
        return Err(signed_out());
    }
    let whole = json(answer, &[LIST])?;
    let list = Entry::of(&whole);
    if !list.flag("success")? {
        return Err(refused(&list));
    }
    // Steam writes an empty list as one: without it, nothing says that none waits.
    if list.value("conf").is_none() {
        return Err(list.unread("conf"));
    }
    list.list("conf").iter().map(confirmation).collect()
}

/// What it means that Steam lists nothing: it names a session that has ended, and no other reason.
fn refused(list: &Entry<'_>) -> ExternalError<PlatformRefusal> {
    match list.maybe_flag("needauth") {
        Ok(Some(true)) => signed_out(),
        Ok(Some(false) | None) => {
            unknown("it lists no confirmations: it is unwell, or the identity secret is wrong".to_owned())
        }
        Err(unread) => unread,
    }
}

fn confirmation(entry: &Entry<'_>) -> PlatformResult<Confirmation> {
    let handle = words(entry.value("nonce"));
    if handle.is_empty() {
        return Err(entry.unread("nonce"));
    }
    let summary = entry.value("summary").and_then(Value::as_array);
    Ok(Confirmation {
        id: ExternalId::from(entry.id("id")?.get()),
        handle: ConfirmationHandle(handle),
        kind: entry.number("type")?,
        kind_name: words(entry.value("type_name")),
        creator: ExternalId::from(entry.number::<u64>("creator_id")?),
        headline: words(entry.value("headline")),
        summary: summary.into_iter().flatten().map(|line| words(Some(line))).collect(),
        created_at: entry.time("creation_time")?,
    })
}

/// A text that decides nothing. Some of them are digits alone, which Steam can write as a number.
fn words(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => String::new(),
    }
}

#[cfg(test)]
mod tests;
