//! Samples of users, the proofs of their identity, and their place in workspaces.

use std::net::{IpAddr, Ipv4Addr};

use tradepost_domain::accounts::access::Prover;
use tradepost_domain::accounts::account_link::{self, AccountLink, ConsumedAssertion, Provider};
use tradepost_domain::accounts::api_key::{ApiKey, PepperId, TokenDigest};
use tradepost_domain::accounts::authenticator::Aaguid;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, Purpose};
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser, Guesses};
use tradepost_domain::accounts::mail::OutgoingMail;
use tradepost_domain::accounts::membership::{Event, Membership, Offer};
use tradepost_domain::accounts::passkey::{Passkey, PasskeyRegistration};
use tradepost_domain::accounts::policy::{PolicySet, Role};
use tradepost_domain::accounts::preferences::{Preferences, TimeZone};
use tradepost_domain::accounts::session::{Proof, Proofs, Session};
use tradepost_domain::accounts::sign_in::{PasskeySignIn, PendingSignIn, TRIES};
use tradepost_domain::accounts::step_up::{CHALLENGE_TRIES, Challenge, Grant, MORE_MAILS, Method};
use tradepost_domain::accounts::totp::{ENROLLMENT_TRIES, RecoveryCodes, Totp, TotpEnrollment};
use tradepost_domain::accounts::user::{LinkedIdentity, Password, User};
use tradepost_domain::accounts::workspace::{RISK_NOTICE, RiskAcknowledgement, Settings, Workspace};
use tradepost_domain::accounts::workspace_key::{KeyState, SecretPlace, WorkspaceKey, WorkspaceSecret, WrappedKey};
use tradepost_domain::id::{UserId, WorkspaceId};
use tradepost_domain::money::Currency;
use tradepost_domain::network::Networks;
use tradepost_domain::time::Timestamp;

use super::{Samples, email, start, text};
use crate::fakes::FakePasswords;

impl Samples {
    /// The password of every sample user, as [`FakePasswords`] hashes it.
    pub const PASSWORD: &str = "copper lantern under seven bridges";

    /// Returns an address that was not returned before.
    pub fn email(&self) -> EmailAddress {
        email(&format!("user{}@example.com", self.number()))
    }

    /// Returns a user with a verified address and a password.
    pub fn user(&self) -> User {
        let password = Password { hash: FakePasswords::hash_of(Self::PASSWORD), changed_at: start() };
        User { email: Some(self.email()), password: Some(password), ..self.user_without_email() }
    }

    /// Returns a user with neither address nor password.
    pub fn user_without_email(&self) -> User {
        User {
            id: self.id(),
            display_name: self.unique("User"),
            preferences: Preferences::default(),
            email: None,
            password: None,
            email_changed_at: None,
            disabled: false,
            created_at: start(),
            updated_at: start(),
        }
    }

    /// Returns an identity of another platform.
    pub fn linked_identity(&self, user_id: UserId) -> LinkedIdentity {
        LinkedIdentity {
            id: self.id(),
            user_id,
            provider: Provider::Discord,
            subject: self.unique("subject"),
            linked_at: start(),
        }
    }

    /// Returns a begun link to an identity of another platform.
    pub fn account_link(&self, purpose: account_link::Purpose) -> AccountLink {
        AccountLink {
            id: self.id(),
            provider: Provider::Steam,
            purpose,
            sealed_state: self.digest().to_vec(),
            created_at: start(),
        }
    }

    /// Returns an answer of another platform that was accepted.
    pub fn spent_answer(&self) -> ConsumedAssertion {
        let mut digest = [0; 16];
        digest.copy_from_slice(&self.digest()[16..]);
        ConsumedAssertion { digest, spent_at: start() }
    }

    /// Returns a passkey.
    pub fn passkey(&self, user_id: UserId) -> Passkey {
        Passkey {
            id: self.id(),
            user_id,
            name: self.unique("Passkey"),
            credential_id: self.digest().to_vec(),
            credential: r#"{"cred":"sample"}"#.to_owned(),
            backed_up: true,
            authenticator: Aaguid::reported([7; 16]),
            created_at: start(),
            last_used_at: None,
            disabled_at: None,
        }
    }

    /// Returns a registration of a passkey that was begun.
    pub fn passkey_registration(&self, user_id: UserId) -> PasskeyRegistration {
        let state = format!(r#"{{"challenge":{}}}"#, self.number());
        PasskeyRegistration { user_id, name: self.unique("Passkey"), state, created_at: start() }
    }

    /// Returns an enrolled authenticator app whose step 0 was used last.
    pub fn totp(&self, user_id: UserId) -> Totp {
        Totp { user_id, sealed_secret: self.digest().to_vec(), last_step: 0, enabled_at: start() }
    }

    /// Returns an enrolment of an authenticator app that was begun.
    pub fn totp_enrollment(&self, user_id: UserId) -> TotpEnrollment {
        TotpEnrollment {
            id: self.id(),
            user_id,
            sealed_secret: self.digest().to_vec(),
            tries_left: ENROLLMENT_TRIES,
            created_at: start(),
        }
    }

    /// Returns two recovery codes.
    pub fn recovery_codes(&self, user_id: UserId) -> RecoveryCodes {
        RecoveryCodes {
            user_id,
            digests: vec![self.digest(), self.digest()],
            pepper: Some(PepperId(1)),
            created_at: start(),
        }
    }

    /// Returns three wrong passwords in a row, and two codes.
    pub fn guesses(&self, user_id: UserId) -> Guesses {
        Guesses { user_id, wrong_passwords: 3, wrong_codes: 2, codes_since: start() }
    }

    /// Returns two wrong codes of a key or session, or of all keys or sessions.
    pub fn code_guesses(&self, user_id: UserId, by: Guesser) -> CodeGuesses {
        CodeGuesses { user_id, by, wrong: 2, since: start() }
    }

    /// Returns a mailed link that moves the account to a new address.
    pub fn email_link(&self, user_id: UserId) -> EmailLink {
        let purpose = Purpose::Change { to: self.email() };
        EmailLink { user_id, purpose, digest: TokenDigest(self.digest()), created_at: start() }
    }

    /// Returns a question to a key or session, answered by a mailed code.
    pub fn challenge(&self, prover: Prover) -> Challenge {
        Challenge {
            id: self.id(),
            user_id: prover.user_id,
            principal: prover.id,
            methods: vec![Method::Email],
            code_digest: Some(self.digest()),
            passkey_state: None,
            tries_left: CHALLENGE_TRIES,
            mails_left: MORE_MAILS,
            created_at: start(),
        }
    }

    /// Returns a proof given for a key or session.
    pub fn grant(&self, prover: Prover) -> Grant {
        Grant { user_id: prover.user_id, principal: prover.id, method: Method::Totp, granted_at: start() }
    }

    /// Returns a session by password, with every field of its client.
    pub fn session(&self, user_id: UserId) -> Session {
        Session {
            id: self.id(),
            user_id,
            prefix: "tps_Sample00".to_owned(),
            digest: TokenDigest(self.digest()),
            proofs: Proofs::of(&[Proof::Password]),
            proved_at: start(),
            created_at: start(),
            client: Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7))),
            user_agent: Some(text("sample/1.0")),
        }
    }

    /// Returns a sign-in that waits for a second factor.
    pub fn pending_sign_in(&self, user_id: UserId) -> PendingSignIn {
        PendingSignIn {
            id: self.id(),
            user_id,
            proofs: Proofs::of(&[Proof::LinkedIdentity]),
            passkey_state: None,
            tries_left: TRIES,
            created_at: start(),
        }
    }

    /// Returns a question for a passkey of any user.
    pub fn passkey_sign_in(&self, created_at: Timestamp) -> PasskeySignIn {
        PasskeySignIn { id: self.id(), state: r#"{"ast":1}"#.to_owned(), created_at }
    }

    /// Returns a mail that was just written.
    pub fn mail(&self) -> OutgoingMail {
        OutgoingMail::new(self.id(), self.email(), vec![0x5e, 0xa1, 0xed], start())
    }

    /// Returns an active key of a workspace.
    pub fn workspace_key(&self, workspace_id: WorkspaceId, number: u32) -> WorkspaceKey {
        let wrapped = WrappedKey { key_id: text("sample"), bytes: self.digest().to_vec() };
        let state = KeyState::Active { wrapped };
        WorkspaceKey { id: self.id(), workspace_id, number, state, created_at: start() }
    }

    /// Returns a secret that belongs to no record's field, sealed under the key with this number.
    pub fn workspace_secret(&self, workspace_id: WorkspaceId, key_number: u32) -> WorkspaceSecret {
        let id = self.id();
        let place = SecretPlace { table: text("samples"), column: text("secret"), row: id.to_bytes() };
        WorkspaceSecret { id, workspace_id, place, key_number, sealed: self.digest().to_vec(), updated_at: start() }
    }

    /// Returns a workspace.
    pub fn workspace(&self) -> Workspace {
        Workspace {
            id: self.id(),
            name: self.unique("Workspace"),
            description: Some(text("Where the samples live")),
            base_currency: Currency::new("EUR").unwrap(),
            time_zone: TimeZone::new("Europe/Zurich").unwrap(),
            settings: Settings::default(),
            trading_halt: None,
            risks_acknowledged: Some(RiskAcknowledgement {
                version: text(RISK_NOTICE.version),
                by: Some(self.id()),
                at: start(),
            }),
            deleted_at: None,
            created_at: start(),
            updated_at: start(),
        }
    }

    /// Returns the membership of a workspace's owner.
    pub fn owner(&self, workspace: WorkspaceId, user: UserId) -> Membership {
        Membership::found(self.id(), workspace, user, start())
    }

    /// Returns an invitation with the policies of trading.
    pub fn invitation(&self, workspace: WorkspaceId, invitee: &EmailAddress) -> Membership {
        let offer = Offer { invitee: invitee.clone(), role: Role::Member, policies: PolicySet::OPERATIONAL };
        Membership::invite(self.id(), workspace, offer, start())
    }

    /// Returns the membership of a user that accepted an invitation.
    ///
    /// # Panics
    /// Never: the invitation is fresh.
    pub fn member(&self, workspace: WorkspaceId, user: UserId) -> Membership {
        self.invitation(workspace, &self.email()).apply(Event::Accept { by: user }, start()).unwrap()
    }

    /// Returns a key with every policy, without an expiry, that belongs to a member.
    ///
    /// # Panics
    /// When no user has accepted the membership.
    pub fn key(&self, membership: &Membership) -> ApiKey {
        ApiKey {
            id: self.id(),
            workspace_id: membership.workspace_id,
            owner_id: membership.user_id().unwrap(),
            membership_id: membership.id,
            name: self.unique("Key"),
            prefix: "tpk_Sample00".to_owned(),
            digest: TokenDigest(self.digest()),
            pepper: Some(PepperId(1)),
            policies: PolicySet::EVERY,
            networks: Networks::default(),
            expires_at: None,
            remind_at: None,
            revoked_at: None,
            created_at: start(),
        }
    }
}
