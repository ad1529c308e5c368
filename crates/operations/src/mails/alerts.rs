//! The mail of an alert.

use tradepost_domain::accounts::email::EmailAddress;
use tradepost_ports::alerts::{AlertError, AlertKind, AlertSeverity, AlertTarget, AlertText};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::mailer::Mail;

use super::Letter;
use crate::{OpError, OpResult, Operations};

const CLOSING: &str =
    "You receive this mail because of an alert channel of yours. Disable the channel to receive none.";

impl Operations {
    /// Returns whether this installation sends alerts of a kind.
    pub(crate) fn sends_alerts(&self, kind: AlertKind) -> bool {
        if kind == AlertKind::Mail { self.ports.mailer.is_set_up() } else { self.ports.alerts.is_set_up(kind) }
    }

    /// Sends an alert. A mail is accepted once it waits in the outbox, which tries again by itself.
    pub(crate) async fn send_alert(&self, target: &AlertTarget, alert: &AlertText) -> OpResult<Result<(), AlertError>> {
        let AlertTarget::Mail { address } = target else { return Ok(self.ports.alerts.send(target, alert).await) };
        let to = EmailAddress::new(address).map_err(|error| OpError::internal(error.to_string()))?;
        let relay = Caller::system();
        let mut changes = Changes::by(&relay);
        self.post(&mut changes, alert_mail(&to, alert));
        self.commit(&relay, changes).await?;
        Ok(Ok(()))
    }
}

/// Returns the mail of an alert.
fn alert_mail(to: &EmailAddress, alert: &AlertText) -> Mail {
    let severity = match alert.severity {
        AlertSeverity::Info => "Info",
        AlertSeverity::Warning => "Warning",
        AlertSeverity::Critical => "Critical",
    };
    let place = format!("Workspace: {}", alert.workspace);
    let lines = (!alert.lines.is_empty()).then(|| alert.lines.join("\n"));
    Letter {
        subject: format!("{severity}: {}", alert.title),
        paragraphs: [Some(alert.title.clone()), lines, Some(place)].into_iter().flatten().collect(),
        code: None,
        link: alert.link.clone(),
        closing: CLOSING,
    }
    .to(to)
}

#[cfg(test)]
mod tests {
    use tradepost_domain::time::Timestamp;

    use super::*;

    fn alert() -> AlertText {
        AlertText {
            id: "msg_1".to_owned(),
            topic: "PROBLEM",
            severity: AlertSeverity::Critical,
            workspace: "Main <desk>".to_owned(),
            title: "A purchase is uncertain".to_owned(),
            lines: vec!["marketplace: simulated".to_owned(), "paid: 412.00 USD".to_owned()],
            link: Some("https://trade.example.com/remediations/1?a&b".to_owned()),
            sent_at: Timestamp::from_micros(0).unwrap(),
        }
    }

    #[test]
    fn an_alert_is_a_mail_with_its_lines_and_its_link() {
        let to = EmailAddress::new("ada@example.com").unwrap();
        let mail = alert_mail(&to, &alert());
        assert_eq!(mail.subject, "Critical: A purchase is uncertain");
        let text = "A purchase is uncertain\n\nmarketplace: simulated\npaid: 412.00 USD\n\nWorkspace: Main <desk>\n\n\
                    https://trade.example.com/remediations/1?a&b\n\n";
        assert_eq!(mail.text, format!("{text}{CLOSING}"));
        let html = "<p>A purchase is uncertain</p><p>marketplace: simulated<br>paid: 412.00 USD</p><p>Workspace: Main &lt;desk&gt;</p>\
                    <p><a href=\"https://trade.example.com/remediations/1?a&amp;b\">https://trade.example.com/remediations/1?a&amp;b</a></p>";
        assert_eq!(mail.html, format!("{html}<p>{CLOSING}</p>"));
    }
}
