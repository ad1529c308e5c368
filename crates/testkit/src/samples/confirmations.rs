//! Samples of confirmations.

use tradepost_domain::id::{RecordKey, WorkspaceId};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::trading::confirmation::{
    CheckCode, Confirmation, ConfirmationOutcome, ConfirmationStatus, ConfirmationStep, ShownConfirmation, Verdict,
};

use super::{Samples, minute, start, text};

impl Samples {
    /// Returns what a list shows of a confirmation with an id of its own, by the platform's number of its kind.
    pub fn shown_confirmation(&self, platform_kind: u32) -> ShownConfirmation {
        ShownConfirmation {
            platform_id: ExternalId::from(self.number()),
            platform_kind,
            kind_name: Some(text("Trade Offer")),
            creator: ExternalId::from(self.number()),
            headline: Some(text("Partner")),
            summary: vec![text("You will give up your AK-47 | Redline"), text("You will receive nothing")],
            created_at: start(),
        }
    }

    /// Returns a confirmation of an account as it was seen first.
    pub fn confirmation(
        &self,
        workspace_id: WorkspaceId,
        account_name: AccountName,
        platform_kind: u32,
    ) -> Confirmation {
        let key = RecordKey { workspace_id, id: self.id() };
        Confirmation::seen(key, account_name, self.shown_confirmation(platform_kind), start())
    }

    /// Returns a confirmation of a trade offer in a status.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn confirmation_in(&self, workspace_id: WorkspaceId, status: ConfirmationStatus) -> Confirmation {
        use ConfirmationOutcome as Shows;
        let seen = self.confirmation(workspace_id, text("trader-1"), 2);
        let matched = seen.clone().examined(Verdict { checks: Vec::new(), refusal: None }, minute(1));
        let allowing = || matched.clone().answering(ConfirmationStep::Allow, minute(2)).unwrap();
        let denying = || seen.clone().answering(ConfirmationStep::Deny, minute(2)).unwrap();
        match status {
            ConfirmationStatus::Seen => seen,
            ConfirmationStatus::Matched => matched,
            ConfirmationStatus::Allowing => allowing(),
            ConfirmationStatus::Allowed => allowing().shown_after(Shows::Allowed, minute(3)),
            ConfirmationStatus::Denying => denying(),
            ConfirmationStatus::Denied => denying().begun(minute(3)).shown_after(Shows::Denied, minute(4)),
            ConfirmationStatus::Vanished => seen.shown_after(Shows::Gone, minute(3)),
            ConfirmationStatus::Uncertain => allowing().shown_after(Shows::Unknown, minute(3)),
            ConfirmationStatus::Strange => seen.reported(CheckCode::Creator, Some(text("no offer of ours")), minute(1)),
        }
    }
}
