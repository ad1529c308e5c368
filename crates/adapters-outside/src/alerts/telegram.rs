//! Telegram: `sendMessage` of the [Bot API](https://core.telegram.org/bots/api#sendmessage), as plain text.

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use tradepost_ports::alerts::{AlertError, AlertText, UnusableTarget};

use super::json_headers;
use super::outcome::{later, never, pause, unaccepted};
use super::text::{TITLE, cut, fit, link, plain, severity, units};
use crate::calls::Calls;
use crate::client::Answer;

/// The most UTF-16 units of a message.
const MESSAGE: usize = 4_096;

/// A chat of a bot.
#[derive(Debug)]
pub(super) struct Chat<'a> {
    pub(super) token: &'a SecretString,
    pub(super) id: &'a str,
}

impl Chat<'_> {
    /// Checks the shape of token and id.
    pub(super) fn check(&self) -> Result<(), UnusableTarget> {
        if !is_token(self.token.expose_secret()) {
            let rule = "must have the token of a bot as @BotFather gives it: digits, a colon, and 30 to 64 characters";
            return Err(UnusableTarget(rule.to_owned()));
        }
        if !is_chat(self.id) {
            let rule = "must have a chat: its number, such as -1001234567890, or the name of a public channel, such as @example";
            return Err(UnusableTarget(rule.to_owned()));
        }
        Ok(())
    }

    /// Sends a message.
    pub(super) async fn send(&self, calls: &Calls, base: &str, text: &AlertText) -> Result<(), AlertError> {
        // The token is a part of the path, so no other path may be in it.
        self.check().map_err(|rule| never(format!("the channel {rule}")))?;
        let url = format!("{base}/bot{}/sendMessage", self.token.expose_secret());
        let answer = calls.post(&url, json_headers(), body(self.id, text).to_string().into_bytes()).await;
        outcome(&answer.map_err(|error| later(format!("no answer of Telegram: {error}"), None))?)
    }
}

fn is_token(token: &str) -> bool {
    let is_secret = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-');
    token.split_once(':').is_some_and(|(bot, secret)| {
        is_number(bot) && (30..=64).contains(&secret.len()) && secret.bytes().all(is_secret)
    })
}

fn is_chat(id: &str) -> bool {
    let is_name =
        |name: &str| (4..=32).contains(&name.len()) && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    id.strip_prefix('@').map_or_else(|| is_number(id.strip_prefix('-').unwrap_or(id)), is_name)
}

fn is_number(text: &str) -> bool {
    (1..=18).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit())
}

fn body(chat: &str, text: &AlertText) -> Value {
    json!({ "chat_id": chat, "text": message(text), "link_preview_options": { "is_disabled": true } })
}

fn message(text: &AlertText) -> String {
    let title = format!("{}: {}", severity(text.severity), cut(&text.title, TITLE, spell));
    let head = format!("{title}\n{}", cut(&text.workspace, TITLE, spell));
    let foot = link(text.link.as_ref()).map(|link| format!("\n\n{link}")).unwrap_or_default();
    let room = MESSAGE.saturating_sub(units(&head) + units(&foot) + 2);
    let lines = fit(&text.lines, room, spell).join("\n");
    if lines.is_empty() { format!("{head}{foot}") } else { format!("{head}\n\n{lines}{foot}") }
}

/// Writes a character. One that joins words follows `@`, so that no name mentions a user of Telegram.
fn spell(c: char, into: &mut String) {
    plain(c, into);
    if c == '@' {
        into.push('\u{2060}');
    }
}

/// What an answer means.
fn outcome(answer: &Answer) -> Result<(), AlertError> {
    let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    // The beginning of a long answer is not JSON: then the status alone decides.
    if (200..300).contains(&answer.status) && said.get("ok") != Some(&Value::Bool(false)) {
        return Ok(());
    }
    // Without a code it is something on the way that answers, which knows nothing of the bot.
    let code = said.get("error_code").and_then(Value::as_u64);
    let parameter = |name: &str| said.get("parameters").and_then(|parameters| parameters.get(name));
    let description = said.get("description").and_then(Value::as_str);
    let says = |part: &str| description.is_some_and(|text| text.to_ascii_lowercase().contains(part));
    Err(match code {
        Some(401 | 404) => never("Telegram does not know the token of the bot: it was revoked or mistyped"),
        Some(403) => never("the bot may not write to the chat: it was blocked or removed, or was never added"),
        Some(400) if parameter("migrate_to_chat_id").is_some() => {
            never("the group has become a supergroup, which has another number: enter the new one")
        }
        Some(400) if says("chat not found") => never("Telegram finds no such chat, or the bot was never added to it"),
        Some(400) if says("rights to send") || says("chat_write_forbidden") => {
            never("the bot has no right to write to the chat")
        }
        Some(429) => {
            let asked = pause(parameter("retry_after").and_then(Value::as_f64)).or(answer.retry_after);
            later("Telegram limits the rate of messages (429)", asked)
        }
        Some(_) | None => unaccepted("Telegram", answer, description),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::text;
    use super::*;

    const TOKEN: &str = "123456789:AAabcdefghijklmnopqrstuvwxyz_-01234";

    fn check(token: &str, id: &str) -> bool {
        Chat { token: &SecretString::from(token), id }.check().is_ok()
    }

    #[test]
    fn a_token_and_a_chat_have_the_shape_that_telegram_gives_them() {
        for id in ["1", "-1001234567890", "@example_channel"] {
            assert!(check(TOKEN, id), "{id}");
        }
        for id in ["", "-", "@abc", "@a/b_c", "example", "1.5", "12 34", "../getMe"] {
            assert!(!check(TOKEN, id), "{id}");
        }
        let secret = TOKEN.split_once(':').unwrap().1;
        for token in
            ["", ":", "123456789:", secret, &format!("x:{secret}"), &format!("1:{secret}/../x"), &format!("{TOKEN}?")]
        {
            assert!(!check(token, "1"), "{token}");
        }
    }

    #[test]
    fn a_message_has_severity_title_workspace_lines_and_link() {
        let expected = "Critical: Purchase of \u{2605} Karambit | Doppler is uncertain\nMain desk\n\n\
                        market: simulated\npaid: 412.00 USD by ops@\u{2060}example.com\n\nhttps://trade.example.com/remediations/1";
        assert_eq!(message(&text()), expected);
        assert_eq!(
            body("-100", &text()),
            json!({ "chat_id": "-100", "text": expected, "link_preview_options": { "is_disabled": true } })
        );
        let bare = AlertText { lines: Vec::new(), link: None, ..text() };
        assert!(message(&bare).ends_with("\nMain desk"));
    }

    #[test]
    fn the_longest_message_is_within_the_limit_and_counts_what_it_omits() {
        let lines = vec!["@\u{1f600}".repeat(300); 50];
        let long = AlertText { title: "@".repeat(900), workspace: "w".repeat(900), lines, ..text() };
        let message = message(&long);
        assert!((3_000..=MESSAGE).contains(&units(&message)), "{}", units(&message));
        assert!(message.contains("more lines, see the console\n\nhttps://"), "{message}");
    }

    fn of(status: u16, body: &str) -> Result<(), AlertError> {
        outcome(&Answer { status, retry_after: Some(Duration::from_secs(3)), body: body.as_bytes().to_vec() })
    }

    #[test]
    fn what_is_final_at_telegram_is_not_tried_again() {
        for (status, body) in [
            (401, r#"{"ok":false,"error_code":401,"description":"Unauthorized"}"#),
            (404, r#"{"ok":false,"error_code":404,"description":"Not Found"}"#),
            (403, r#"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#),
            (400, r#"{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}"#),
            (
                400,
                r#"{"ok":false,"error_code":400,"description":"Bad Request: not enough rights to send text messages to the chat"}"#,
            ),
            (400, r#"{"ok":false,"error_code":400,"parameters":{"migrate_to_chat_id":-1001234567890}}"#),
        ] {
            let error = of(status, body).unwrap_err();
            assert!(error.is_final && error.retry_after.is_none(), "{body}: {error:?}");
            assert!(!error.reason.chars().any(|c| c.is_ascii_digit()), "{error:?}");
        }
        // It is not Telegram that answers so.
        for status in [401, 403, 404] {
            assert!(!of(status, "<html>").unwrap_err().is_final, "{status}");
        }
    }

    #[test]
    fn what_passes_at_telegram_is_tried_again_after_the_pause_it_asks_for() {
        assert_eq!(of(200, r#"{"ok":true,"result":{}}"#), Ok(()));
        assert_eq!(of(200, r#"{"ok":true,"result":{"text":"cut off here"#), Ok(()));
        let limited = r#"{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 41","parameters":{"retry_after":41}}"#;
        let error = of(429, limited).unwrap_err();
        assert_eq!((error.is_final, error.retry_after), (false, Some(Duration::from_secs(41))));
        assert_eq!(of(429, "").unwrap_err().retry_after, Some(Duration::from_secs(3)));
        for (status, body, reason) in [
            (
                400,
                r#"{"ok":false,"error_code":400,"description":"Bad Request: message is too long"}"#,
                "Telegram answered 400: Bad Request: message is too long",
            ),
            (500, "<html>", "Telegram answered 500"),
            (302, "", "Telegram answered 302, and no redirect is followed"),
            (200, r#"{"ok":false,"error_code":500,"description":"x 1"}"#, "Telegram answered 200"),
        ] {
            let error = of(status, body).unwrap_err();
            assert_eq!((error.is_final, error.reason.as_str()), (false, reason));
        }
    }
}
