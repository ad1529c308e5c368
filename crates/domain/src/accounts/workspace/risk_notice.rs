//! The risk notice: what people read about trading accounts and marketplaces before the workspace stores the first secret of one.

use super::Workspace;
use crate::id::UserId;
use crate::text::NoticeVersion;
use crate::time::Timestamp;

/// What is read before the first secret is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RiskNotice {
    /// The day on which its text last changed, as `2026-11-28`. A new version is acknowledged again.
    pub version: &'static str,
    /// Its points, in order.
    pub points: &'static [RiskPoint],
}

/// One risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RiskPoint {
    /// The risk in a few words.
    pub title: &'static str,
    /// What can happen, and what reduces it.
    pub text: &'static str,
}

/// Someone read a version of the notice for the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskAcknowledgement {
    /// The version that was read.
    pub version: NoticeVersion,
    /// The user who acknowledged it, in person or by a key; absent where the process itself did.
    pub by: Option<UserId>,
    /// When.
    pub at: Timestamp,
}

/// Why a notice is not acknowledged, a secret not stored, or a session not started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RiskNoticeError {
    /// Another version was read.
    #[error("the present risk notice is version {}, and not {read}; read it before you acknowledge it", RISK_NOTICE.version)]
    OtherVersion {
        /// What the caller read.
        read: NoticeVersion,
    },
    /// The present version is not acknowledged.
    #[error(
        "version {} of the risk notice is not acknowledged for this workspace; read it before you store a secret or start a session",
        RISK_NOTICE.version
    )]
    NotAcknowledged,
}

/// The present notice.
pub const RISK_NOTICE: RiskNotice = RiskNotice {
    version: "2026-11-28",
    points: &[
        RiskPoint {
            title: "The platform can lock an account, with every item in it",
            text: "The Steam Subscriber Agreement forbids software that automates a process of its marketplace, and grants use for personal \
                purposes. Valve can see trade offers by a program as automation, and trading for profit as commercial use. A lock can be \
                permanent. Use accounts made for this, without games and savings, and spread value over several accounts.",
        },
        RiskPoint {
            title: "Password and authenticator secrets in one place are one factor",
            text: "Someone who reads the database and the root secret of this server can take every item of its accounts. Encrypt the disk, keep \
                the root secret apart from the database, and keep the interface on private networks.",
        },
        RiskPoint {
            title: "Platforms and marketplaces refuse programs",
            text: "This program says who it is. A platform can refuse it for that. A marketplace can delete the key, or block the address, of a \
                program that calls too often. Read the terms of a marketplace before you give the server a key.",
        },
        RiskPoint {
            title: "A purchase is not final for days",
            text: "A seller can reverse a trade during the protection period of the platform, which is seven days for Counter-Strike 2. The item \
                goes back, and the refund is the decision of the marketplace. The same holds for what you sell.",
        },
        RiskPoint {
            title: "Several accounts are no way around a limit",
            text: "They serve the running of several accounts that are yours. Do not use them to evade a ban, a regional price, an identification \
                or a rate limit.",
        },
        RiskPoint {
            title: "Tax and law are your responsibility",
            text: "This includes income tax, value added tax, and rules on payments, gambling and sanctions. This notice is not legal advice.",
        },
        RiskPoint {
            title: "What is lost cannot be restored",
            text: "The authors of this program cannot restore an account, an item or a payment.",
        },
    ],
};

impl RiskAcknowledgement {
    /// The acknowledgement of a version of the notice.
    ///
    /// # Errors
    /// [`RiskNoticeError::OtherVersion`] unless it is the present version.
    pub fn new(version: NoticeVersion, by: Option<UserId>, at: Timestamp) -> Result<Self, RiskNoticeError> {
        let read = Self { version, by, at };
        if read.is_current() { Ok(read) } else { Err(RiskNoticeError::OtherVersion { read: read.version }) }
    }

    /// Whether the present version of the notice was read.
    pub fn is_current(&self) -> bool {
        self.version.as_str() == RISK_NOTICE.version
    }
}

impl Workspace {
    /// The workspace, in which someone has read the notice.
    #[must_use]
    pub fn acknowledge_risks(self, read: RiskAcknowledgement) -> Self {
        Self { updated_at: read.at, risks_acknowledged: Some(read), ..self }
    }

    /// Checks that a secret of a trading account or of a provider may be stored.
    ///
    /// # Errors
    /// [`RiskNoticeError::NotAcknowledged`] until someone has acknowledged the present version of the notice.
    pub fn check_risks_acknowledged(&self) -> Result<(), RiskNoticeError> {
        let is_read = self.risks_acknowledged.as_ref().is_some_and(RiskAcknowledgement::is_current);
        is_read.then_some(()).ok_or(RiskNoticeError::NotAcknowledged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The version and the checksum of its text.
    const PRESENT: (&str, u64) = ("2026-11-28", 0xb58b_7fe5_ee40_a456);

    /// FNV-1a.
    fn checksum(notice: &RiskNotice) -> u64 {
        let bytes = notice.points.iter().flat_map(|point| point.title.bytes().chain(point.text.bytes()));
        bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    #[test]
    fn another_text_has_another_version() {
        let found = (RISK_NOTICE.version, checksum(&RISK_NOTICE));
        assert_eq!(found, PRESENT, "the day of the change is the version of a changed text");
    }
}
