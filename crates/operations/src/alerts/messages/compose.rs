//! The text of what is sent: of one message, or of several together.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tradepost_domain::alerts::message::AlertMessage;
use tradepost_domain::contracts::remediation::Severity;
use tradepost_domain::events::webhook_delivery::message_id;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Subject;
use tradepost_ports::alerts::AlertText;

/// The messages that are listed in one text.
const LISTED: usize = 10;

/// Where texts come from.
pub(super) struct Sender<'a> {
    /// Where people reach the server.
    pub(super) public_url: &'a str,
    /// The workspace.
    pub(super) workspace_id: WorkspaceId,
    /// The name of the workspace.
    pub(super) workspace: String,
    /// The time of the try.
    pub(super) at: Timestamp,
}

impl Sender<'_> {
    /// Returns the text of messages that are sent together; `None` without any. The most severe come first.
    pub(super) fn text(&self, messages: &[&AlertMessage]) -> Option<AlertText> {
        let mut messages = messages.to_vec();
        messages.sort_by_key(|message| (std::cmp::Reverse(message.severity), message.created_at, message.id));
        let first = messages.first()?;
        let text = AlertText {
            id: message_id(first.id.to_bytes()),
            topic: first.topic.as_str(),
            severity: first.severity,
            workspace: self.workspace.clone(),
            title: title(first),
            lines: first.detail.iter().map(ToString::to_string).collect(),
            link: Some(self.link(first.subject)),
            sent_at: self.at,
        };
        if messages.len() == 1 {
            return Some(text);
        }
        let critical = messages.iter().filter(|message| message.severity == Severity::Critical).count();
        let more = messages.len().saturating_sub(LISTED);
        let more = (more > 0).then(|| format!("{more} more, see the console"));
        let listed = messages.iter().take(LISTED).map(|message| format!("{}: {}", message.severity, title(message)));
        Some(AlertText {
            title: format!("{} alerts, {critical} of them critical", messages.len()),
            lines: listed.chain(more).collect(),
            link: Some(self.link(None)),
            ..text
        })
    }

    /// The page of the console that shows the record, in its workspace: a person can be a member of several. Opening it changes nothing.
    fn link(&self, subject: Option<Subject>) -> String {
        let page = |name: &str, id: [u8; 16]| format!("{name}/{}", URL_SAFE_NO_PAD.encode(id));
        let path = match subject {
            Some(Subject::Remediation(id)) => page("problems", id.to_bytes()),
            Some(Subject::Purchase(id)) => page("purchases", id.to_bytes()),
            Some(Subject::InventoryItem(id)) => page("items", id.to_bytes()),
            Some(
                Subject::Membership(_)
                | Subject::ApiKey(_)
                | Subject::Contract(_)
                | Subject::Pool(_)
                | Subject::Intent(_)
                | Subject::Account(_)
                | Subject::Provider(_)
                | Subject::TradeOffer(_)
                | Subject::InventoryChange(_)
                | Subject::Import(_)
                | Subject::Friend(_)
                | Subject::ChatMessage(_)
                | Subject::Confirmation(_)
                | Subject::AccountSession(_)
                | Subject::Renewal(_),
            )
            | None => "problems".to_owned(),
        };
        format!("{}/{path}?workspace={}", self.public_url, URL_SAFE_NO_PAD.encode(self.workspace_id.to_bytes()))
    }
}

fn title(message: &AlertMessage) -> String {
    let resolved = if message.resolved_at.is_some() { " (resolved)" } else { "" };
    format!("{}{resolved}", message.title)
}
