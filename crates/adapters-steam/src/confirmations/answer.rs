//! An answer to a mobile confirmation. What came of it is read from its offer, by the caller.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use secrecy::ExposeSecret as _;
use tradepost_adapters_outside::{RequiredShape, ServiceAnswer};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{AnswerToSign, ConfirmationTag, TokenVault};
use tradepost_ports::game_platform::{
    CONFIRMS_OFFER, Confirmation, ConfirmationAnswer, PlatformRefusal, PlatformResult,
};

use crate::account;
use crate::reading::{Entry, FLAG, OBJECT, json, known, needed, numbered, time_of, unknown, whole_seconds};
use crate::writing::{Writing, closed, not_done, nothing_sent, signed_out_after};

const SAID: &[RequiredShape] =
    &[needed("$", OBJECT), needed("$.success", FLAG), known("$.needsauth", FLAG), known("$.needauth", FLAG)];

/// Why an answer is not given.
const NO_KEY: &str = "no answer of the account is on record for this confirmation, or its identity secret is not stored: nothing is answered";
const OTHER_KIND: &str =
    "only confirmations of trade offers are allowed here: use the app of Steam for this one, or deny it";

/// The times of the answers so far. Steam takes each second once from an account.
#[derive(Debug, Default)]
pub(crate) struct AnswerTimes(Mutex<BTreeMap<PlatformUserId, u64>>);

impl AnswerTimes {
    /// Returns a second that was not used: this one, or the next one after all that were.
    fn take(&self, user: PlatformUserId, now: u64) -> u64 {
        let mut last_seconds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let second = last_seconds.get(&user).map_or(now, |last| now.max(last.saturating_add(1)));
        last_seconds.insert(user, second);
        second
    }
}

/// Gives an answer to one confirmation, and to no other one with it.
pub(crate) async fn answer(
    writing: &Writing<'_>,
    vault: &dyn TokenVault,
    times: &AnswerTimes,
    confirmation: &Confirmation,
    answer: ConfirmationAnswer,
) -> PlatformResult<()> {
    let id = numbered(&confirmation.id)?.to_string();
    // Without what the list names, the confirmation was not listed.
    if confirmation.handle.0.is_empty() {
        return Err(ExternalError::Rejected(PlatformRefusal::NotFound));
    }
    if answer == ConfirmationAnswer::Allow && confirmation.kind != CONFIRMS_OFFER {
        return Err(not_done(OTHER_KIND));
    }
    let account = writing.account().user();
    let at = unused(times, account, nothing_sent(account::server_time(writing.services()).await)?)?;
    let wanted = AnswerToSign { account, confirmation: confirmation.id.clone(), answer, at };
    let key = vault.answer_key(&wanted).await.map_err(closed)?.ok_or_else(|| not_done(NO_KEY))?;
    let (user, time) = (account.to_string(), whole_seconds(at).to_string());
    let word = ConfirmationTag::from(answer).word();
    let query = [
        ("p", key.device_id.as_str()),
        ("a", user.as_str()),
        ("k", key.key.expose_secret()),
        ("t", time.as_str()),
        ("m", "react"),
        ("tag", word),
        ("op", word),
        ("cid", id.as_str()),
        ("ck", confirmation.handle.0.as_str()),
    ];
    if is_taken(&writing.send_answer(&query).await?)? {
        return Ok(());
    }
    not_taken(writing, vault, confirmation).await
}

/// The time at which an answer is given.
fn unused(times: &AnswerTimes, account: PlatformUserId, now: Timestamp) -> PlatformResult<Timestamp> {
    let second = times.take(account, u64::try_from(whole_seconds(now)).unwrap_or_default());
    time_of(second).ok_or_else(|| unknown("the time of Steam is out of all bounds".to_owned()))
}

/// Whether Steam took an answer. What it says against it has no known form.
fn is_taken(answer: &ServiceAnswer) -> PlatformResult<bool> {
    let whole = json(answer, &[SAID])?;
    let said = Entry::of(&whole);
    // It names it so here, and otherwise in the list.
    for name in ["needsauth", "needauth"] {
        if said.maybe_flag(name)?.unwrap_or_default() {
            return Err(signed_out_after());
        }
    }
    said.flag("success")
}

/// What it means that Steam did not take an answer: a confirmation that its list leaves out was answered before, or has ended.
async fn not_taken(writing: &Writing<'_>, vault: &dyn TokenVault, confirmation: &Confirmation) -> PlatformResult<()> {
    let not_known = || unknown("it did not take the answer, and names no reason that is known".to_owned());
    let listed = super::listed(writing.services(), vault, writing.account().user()).await;
    let listed = listed.map_err(|_| not_known())?;
    if listed.iter().any(|other| other.id == confirmation.id) {
        Err(not_known())
    } else {
        Err(ExternalError::Rejected(PlatformRefusal::NotFound))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;

    fn answer_of(body: &str) -> ServiceAnswer {
        ServiceAnswer { status: 200, headers: Vec::new(), date: None, body: body.as_bytes().to_vec() }
    }

    #[test]
    fn no_second_is_used_twice_for_an_account() {
        let (one, other) = (PlatformUserId::new(NonZeroU64::MIN), PlatformUserId::new(NonZeroU64::MAX));
        let times = AnswerTimes::default();
        assert_eq!([100, 100, 101, 90, 200].map(|now| times.take(one, now)), [100, 101, 102, 103, 200]);
        assert_eq!(times.take(other, 100), 100);
    }

    #[test]
    fn an_answer_is_taken_only_if_steam_says_so() {
        assert_eq!(is_taken(&answer_of(r#"{"success":true}"#)), Ok(true));
        assert_eq!(is_taken(&answer_of(r#"{"success":false,"message":"any words"}"#)), Ok(false));
        for body in [r#"{"success":false,"needsauth":true}"#, r#"{"success":false,"needauth":true}"#] {
            assert_eq!(is_taken(&answer_of(body)), Err(signed_out_after()), "{body}");
        }
        for body in ["", "<html>", "null", r#"{"done":1}"#, r#"{"success":[]}"#] {
            assert!(matches!(is_taken(&answer_of(body)), Err(ExternalError::Unknown(_))), "{body}");
        }
    }
}
