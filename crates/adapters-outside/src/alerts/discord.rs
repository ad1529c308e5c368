//! Discord: an [embed](https://discord.com/developers/docs/resources/message#embed-object) that a webhook posts to its channel.

use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value, json};
use tradepost_ports::alerts::{AlertError, AlertSeverity, AlertText, UnusableTarget};

use super::json_headers;
use super::outcome::{later, never, pause, unaccepted};
use super::text::{TITLE, cut, fit, link, plain, severity, units};
use crate::calls::Calls;
use crate::client::Answer;
use crate::webhooks::millis;

/// The most UTF-16 units of an embed's description. Its title has [`TITLE`] at most.
const DESCRIPTION: usize = 4_096;
/// The hosts of webhooks, of today and of old.
const HOSTS: [&str; 2] = ["discord.com", "discordapp.com"];
const RULE: &str = "must be the URL of a webhook as Discord gives it: https://discord.com/api/webhooks/…";

/// A webhook of a channel.
pub(super) struct Hook {
    id: String,
    token: String,
    /// The thread or the post of a forum.
    thread: Option<String>,
}

impl Hook {
    /// The webhook of a URL. What is called later is made of its parts, so nothing else of Discord can be called.
    pub(super) fn parse(url: &SecretString) -> Result<Self, UnusableTarget> {
        let unusable = || UnusableTarget(RULE.to_owned());
        let url = Url::parse(url.expose_secret()).map_err(|_| unusable())?;
        let is_discord = url.scheme() == "https"
            && url.port().is_none()
            && url.username().is_empty()
            && url.password().is_none()
            && url.host_str().is_some_and(|host| HOSTS.contains(&host));
        if !is_discord {
            return Err(unusable());
        }
        let path = url.path().strip_prefix("/api/").map(unversioned);
        let (id, token) = path.and_then(|path| path.strip_prefix("webhooks/")?.split_once('/')).ok_or_else(unusable)?;
        let thread = url.query_pairs().find(|(name, _)| name == "thread_id").map(|(_, id)| id.into_owned());
        if !is_snowflake(id) || !is_token(token) || !thread.as_deref().is_none_or(is_snowflake) {
            return Err(unusable());
        }
        Ok(Self { id: id.to_owned(), token: token.to_owned(), thread })
    }

    /// Posts a message.
    pub(super) async fn send(&self, calls: &Calls, base: &str, text: &AlertText) -> Result<(), AlertError> {
        let thread = self.thread.as_ref().map(|thread| format!("&thread_id={thread}")).unwrap_or_default();
        let url = format!("{base}/api/webhooks/{}/{}?wait=true{thread}", self.id, self.token);
        let answer = calls.post(&url, json_headers(), body(text).to_string().into_bytes()).await;
        outcome(&answer.map_err(|error| later(format!("no answer of Discord: {error}"), None))?)
    }
}

/// The path without the version of the interface.
fn unversioned(path: &str) -> &str {
    match path.split_once('/') {
        Some((version, rest)) if version.strip_prefix('v').is_some_and(is_number) => rest,
        Some(_) | None => path,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit())
}

fn is_snowflake(text: &str) -> bool {
    (15..=20).contains(&text.len()) && is_number(text)
}

fn is_token(text: &str) -> bool {
    (60..=100).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-'))
}

fn body(text: &AlertText) -> Value {
    let link = link(text.link.as_ref());
    let named = link.filter(|link| has_domain(link));
    // Discord rejects a message whose URL has no domain, so such a link is a line of the text.
    let below = link.filter(|_| named.is_none()).map(|link| format!("\n\n{link}")).unwrap_or_default();
    let lines = fit(&text.lines, DESCRIPTION.saturating_sub(units(&below)), spell).join("\n");
    let title = format!("{}: {}", severity(text.severity), text.title);
    let embed = [
        ("title", Some(json!(cut(&title, TITLE, spell)))),
        ("description", Some(json!(format!("{lines}{below}")))),
        ("url", named.map(Value::from)),
        ("color", Some(json!(colour(text.severity)))),
        ("footer", Some(json!({ "text": cut(&text.workspace, TITLE, plain) }))),
        ("timestamp", Some(json!(millis(text.sent_at)))),
    ];
    let embed: Map<String, Value> =
        embed.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    json!({ "embeds": [embed], "allowed_mentions": { "parse": [] } })
}

fn has_domain(link: &str) -> bool {
    Url::parse(link).is_ok_and(|url| url.domain().is_some_and(|domain| domain.contains('.')))
}

const fn colour(severity: AlertSeverity) -> u32 {
    match severity {
        AlertSeverity::Info => 0x0034_98db,
        AlertSeverity::Warning => 0x00f3_9c12,
        AlertSeverity::Critical => 0x00e7_4c3c,
    }
}

/// Writes a character, with a backslash if Discord's Markdown gives it a meaning.
fn spell(c: char, into: &mut String) {
    if matches!(c, '\\' | '*' | '_' | '~' | '`' | '|' | '>' | '<' | '#' | '[' | ']' | '-') {
        into.push('\\');
    }
    plain(c, into);
}

/// What an answer means.
fn outcome(answer: &Answer) -> Result<(), AlertError> {
    let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    // Without a code it is something on the way that answers, which knows nothing of the webhook.
    let code = said.get("code").and_then(Value::as_u64);
    Err(match (answer.status, code) {
        (200..300, _) => return Ok(()),
        (_, Some(UNKNOWN_CHANNEL)) => never("the channel or the thread of the webhook no longer exists"),
        (_, Some(NO_THREAD)) => never("the webhook is one of a forum: add ?thread_id= and the id of a post to its URL"),
        (401 | 404, Some(_)) => never("Discord does not know the webhook: it was deleted, or its URL is mistyped"),
        (429, _) => {
            let asked = pause(said.get("retry_after").and_then(Value::as_f64));
            later("Discord limits the rate of messages (429)", asked.max(answer.retry_after))
        }
        _ => unaccepted("Discord", answer, said.get("message").and_then(Value::as_str)),
    })
}

const UNKNOWN_CHANNEL: u64 = 10_003;
const NO_THREAD: u64 = 220_001;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::text;
    use super::*;

    const ID: &str = "123456789012345678";

    fn parse(url: &str) -> Result<Hook, UnusableTarget> {
        Hook::parse(&SecretString::from(url))
    }

    #[test]
    fn only_the_url_of_a_webhook_of_discord_is_accepted() {
        let token = "t".repeat(68);
        let path = format!("api/webhooks/{ID}/{token}");
        for url in [
            format!("https://discord.com/{path}"),
            format!("https://discordapp.com/{path}"),
            format!("https://discord.com/api/v10/webhooks/{ID}/{token}?wait=true"),
        ] {
            assert!(parse(&url).is_ok(), "{url}");
        }
        assert_eq!(parse(&format!("https://discord.com/{path}?thread_id={ID}")).unwrap().thread.as_deref(), Some(ID));
        for url in [
            "discord.com".to_owned(),
            format!("http://discord.com/{path}"),
            format!("https://discord.com.example.com/{path}"),
            format!("https://example.com/{path}"),
            format!("https://discord.com:8443/{path}"),
            format!("https://ada@discord.com/{path}"),
            format!("https://discord.com/{path}/slack"),
            format!("https://discord.com/{path}?thread_id=1%26x"),
            format!("https://discord.com/api/webhooks/{ID}"),
            format!("https://discord.com/api/channels/{ID}/{token}"),
        ] {
            assert_eq!(parse(&url).map(|hook| hook.id).unwrap_err(), UnusableTarget(RULE.to_owned()), "{url}");
        }
    }

    #[test]
    fn a_message_is_an_embed_whose_names_are_no_markup_and_mention_no_user() {
        let expected = json!({
            "embeds": [{
                "title": "Critical: Purchase of \u{2605} Karambit \\| Doppler is uncertain",
                "description": "market: simulated\npaid: 412.00 USD by ops@example.com",
                "url": "https://trade.example.com/remediations/1",
                "color": 0x00e7_4c3c,
                "footer": { "text": "Main desk" },
                "timestamp": "2026-11-22T08:50:11.123Z",
            }],
            "allowed_mentions": { "parse": [] },
        });
        assert_eq!(body(&text()), expected);
        let marked = AlertText { lines: vec!["[a](https://example.com) <@1> **b**".to_owned()], ..text() };
        assert_eq!(body(&marked)["embeds"][0]["description"], "\\[a\\](https://example.com) \\<@1\\> \\*\\*b\\*\\*");
    }

    #[test]
    fn a_link_without_a_domain_is_a_line_of_the_text() {
        let local = AlertText { link: Some("http://localhost:8080/r/1".to_owned()), ..text() };
        let embed = body(&local)["embeds"][0].clone();
        assert_eq!(embed.get("url"), None);
        assert!(embed["description"].as_str().unwrap().ends_with("\n\nhttp://localhost:8080/r/1"));
    }

    #[test]
    fn the_longest_message_is_within_the_limits_and_counts_what_it_omits() {
        let long = AlertText {
            title: "*".repeat(900),
            workspace: "w".repeat(900),
            lines: vec!["\u{1f600}*".repeat(300); 50],
            link: Some("http://localhost/".to_owned()),
            ..text()
        };
        let embed = body(&long)["embeds"][0].clone();
        let size = |field: &Value| units(field.as_str().unwrap());
        assert!((TITLE - 1..=TITLE).contains(&size(&embed["title"])));
        assert!((3_000..=DESCRIPTION).contains(&size(&embed["description"])), "{}", size(&embed["description"]));
        assert!(size(&embed["title"]) + size(&embed["description"]) + size(&embed["footer"]["text"]) <= 6_000);
        assert!(embed["description"].as_str().unwrap().contains("more lines, see the console"));
    }

    fn of(status: u16, body: &str) -> Result<(), AlertError> {
        outcome(&Answer { status, retry_after: Some(Duration::from_secs(1)), body: body.as_bytes().to_vec() })
    }

    #[test]
    fn what_is_final_at_discord_is_not_tried_again() {
        for (status, body) in [
            (404, r#"{"message": "Unknown Webhook", "code": 10015}"#),
            (401, r#"{"message": "Invalid Webhook Token", "code": 50027}"#),
            (404, r#"{"message": "Unknown Channel", "code": 10003}"#),
            (
                400,
                r#"{"message": "Webhooks posted to forum channels must have a thread_name or thread_id", "code": 220001}"#,
            ),
        ] {
            let error = of(status, body).unwrap_err();
            assert!(error.is_final && error.retry_after.is_none(), "{body}: {error:?}");
        }
        // It is not Discord that answers so.
        for status in [401, 403, 404] {
            assert!(!of(status, "<html>").unwrap_err().is_final, "{status}");
        }
    }

    #[test]
    fn what_passes_at_discord_is_tried_again_after_the_longer_pause_it_asks_for() {
        assert_eq!(of(200, "{"), Ok(()));
        assert_eq!(of(204, ""), Ok(()));
        let limited = |seconds: &str| {
            format!("{{\"message\": \"You are being rate limited.\", \"retry_after\": {seconds}, \"global\": false}}")
        };
        for (seconds, pause) in [("0.65", 1_000), ("2.5", 2_500), ("-1", 1_000), ("1e300", 1_000)] {
            let error = of(429, &limited(seconds)).unwrap_err();
            assert_eq!((error.is_final, error.retry_after), (false, Some(Duration::from_millis(pause))), "{seconds}");
        }
        assert_eq!(of(429, "<html>").unwrap_err().retry_after, Some(Duration::from_secs(1)));
        for (status, body, reason) in [
            (400, r#"{"message": "Invalid Form Body", "code": 50035}"#, "Discord answered 400: Invalid Form Body"),
            (502, "", "Discord answered 502"),
            (301, "", "Discord answered 301, and no redirect is followed"),
        ] {
            let error = of(status, body).unwrap_err();
            assert_eq!((error.is_final, error.reason.as_str()), (false, reason));
        }
    }
}
