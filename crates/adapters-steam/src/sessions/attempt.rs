//! A sign-in that was begun: the text that its caller keeps, and what is read of Steam's answer.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{Attempt, SessionRefusal, SessionResult, SignIn};

use super::guards;
use crate::messages::BeginAnswer;

/// What comes between two parts of the text. No part has it.
const BETWEEN: char = ':';
/// The time between two polls where Steam names none, and the least and the most.
const USUAL: Duration = Duration::from_secs(5);
const LEAST: Duration = Duration::from_secs(1);
const MOST: Duration = Duration::from_mins(1);

/// What Steam knows a sign-in by. It has no `Debug`: with it, tokens are issued.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Begun {
    pub(super) client_id: u64,
    pub(super) request_id: Vec<u8>,
    pub(super) steamid: u64,
}

impl Begun {
    /// Reads the text of an attempt.
    pub(super) fn of(attempt: &Attempt) -> SessionResult<Self> {
        let refusal = || SessionRefusal::Other("the sign-in was not begun at Steam".to_owned());
        Self::parse(&attempt.0).ok_or_else(|| ExternalError::Rejected(refusal()))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(BETWEEN);
        let parts = (parts.next(), parts.next(), parts.next(), parts.next());
        let (Some(client_id), Some(request_id), Some(steamid), None) = parts else { return None };
        Some(Self {
            client_id: client_id.parse().ok()?,
            request_id: URL_SAFE_NO_PAD.decode(request_id).ok()?,
            steamid: steamid.parse().ok()?,
        })
    }

    fn attempt(&self) -> Attempt {
        let request_id = URL_SAFE_NO_PAD.encode(&self.request_id);
        Attempt(format!("{}{BETWEEN}{request_id}{BETWEEN}{}", self.client_id, self.steamid))
    }
}

/// Reads the sign-in that Steam began.
pub(super) fn sign_in(answer: BeginAnswer) -> SessionResult<SignIn> {
    let BeginAnswer { client_id, request_id, interval, allowed_confirmations, steamid } = answer;
    if client_id == 0 || request_id.is_empty() || steamid == 0 {
        return Err(ExternalError::Unknown("its answer names no sign-in that can be followed".to_owned()));
    }
    let attempt = Begun { client_id, request_id, steamid }.attempt();
    Ok(SignIn { attempt, asked: guards::asked(&allowed_confirmations)?, poll_every: poll_every(interval) })
}

fn poll_every(seconds: Option<f32>) -> Duration {
    let named = seconds.and_then(|seconds| Duration::try_from_secs_f32(seconds).ok());
    named.filter(|every| !every.is_zero()).unwrap_or(USUAL).clamp(LEAST, MOST)
}

#[cfg(test)]
mod tests {
    use tradepost_domain::trading::account_session::{Asked, Guard};

    use super::*;
    use crate::messages::AllowedConfirmation;

    fn begun() -> Begun {
        Begun { client_id: u64::MAX, request_id: vec![0, 0xfb, 0xff, 0x3a], steamid: 76_561_197_960_265_729 }
    }

    #[test]
    fn an_attempt_is_read_again_as_it_was_written() {
        let attempt = begun().attempt();
        assert_eq!(attempt.0, "18446744073709551615:APv_Og:76561197960265729");
        assert!(Begun::of(&attempt).is_ok_and(|read| read == begun()));
    }

    #[test]
    fn a_text_of_another_driver_is_not_an_attempt() {
        for text in ["", "sign-in-1", "1:APv_Og", "1:APv_Og:2:3", "a:APv_Og:2", "1:+/=:2", "1:APv_Og:", "-1:APv_Og:2"] {
            let refused = Begun::of(&Attempt(text.to_owned())).err();
            assert!(matches!(refused, Some(ExternalError::Rejected(SessionRefusal::Other(_)))), "{text}");
        }
    }

    #[test]
    fn an_answer_becomes_the_sign_in_that_it_names() {
        let Begun { client_id, request_id, steamid } = begun();
        let proof = AllowedConfirmation { confirmation_type: 3, associated_message: String::new() };
        let allowed_confirmations = vec![proof];
        let answer = BeginAnswer { client_id, request_id, interval: Some(2.5), allowed_confirmations, steamid };
        let asked = Asked { guards: vec![Guard::DeviceCode], email_domain: None };
        let expected = SignIn { attempt: begun().attempt(), asked, poll_every: Duration::from_millis(2_500) };
        assert_eq!(sign_in(answer), Ok(expected));
    }

    #[test]
    fn an_answer_without_an_id_begins_nothing_that_can_be_followed() {
        let answer = || BeginAnswer { client_id: 1, request_id: vec![1], steamid: 1, ..BeginAnswer::default() };
        assert!(sign_in(answer()).is_ok());
        for answer in [
            BeginAnswer { client_id: 0, ..answer() },
            BeginAnswer { request_id: Vec::new(), ..answer() },
            BeginAnswer { steamid: 0, ..answer() },
        ] {
            assert!(matches!(sign_in(answer), Err(ExternalError::Unknown(_))));
        }
    }

    #[test]
    fn polls_are_neither_too_frequent_nor_too_rare() {
        assert_eq!(poll_every(None), USUAL);
        for nonsense in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(poll_every(Some(nonsense)), USUAL, "{nonsense}");
        }
        assert_eq!(poll_every(Some(0.1)), LEAST);
        assert_eq!(poll_every(Some(3_600.0)), MOST);
    }
}
