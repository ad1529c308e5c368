//! The mails of a world: what waits in the outbox is handed over before a test looks.

use std::sync::Arc;

use futures::FutureExt as _;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_operations::Operations;
use tradepost_ports::mailer::Mail;
use tradepost_testkit::fakes::RecordingMailer;

pub(crate) struct Mailbox {
    pub(super) operations: Arc<Operations>,
    pub(super) mailer: Arc<RecordingMailer>,
}

impl Mailbox {
    /// Every mail that was taken, the oldest first.
    pub(crate) fn sent(&self) -> Vec<Mail> {
        self.hand_over();
        self.mailer.sent()
    }

    /// The latest mail to an address.
    pub(crate) fn last_to(&self, to: &EmailAddress) -> Option<Mail> {
        self.hand_over();
        self.mailer.last_to(to)
    }

    /// From now on refuses every mail, or takes them again.
    pub(crate) fn refuse(&self, refuses: bool) {
        self.mailer.refuse(refuses);
    }

    /// Hands over what is due.
    pub(crate) fn hand_over(&self) {
        while self.operations.hand_over_mails().now_or_never().unwrap().unwrap() {}
    }
}
