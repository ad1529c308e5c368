//! First halves of what takes two calls: each gives the fields that the second call needs.

use serde_json::{Value, json};
use tradepost::auth::Rfc6238;
use tradepost_domain::accounts::access::PrincipalId;
use tradepost_domain::accounts::step_up::{Grant, Method};
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::inventory_item::{ItemEvent, SalePlace};
use tradepost_domain::contracts::purchase::{FailureCode, Order, PurchaseEvent};
use tradepost_domain::id::{ContractId, UserId};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_operations::Caller;
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FakeLinking;

use super::desk::Trading;
use super::people::{CHAT_IDENTITY, newcomer, newcomer_with_app};
use super::{Authenticator, COPIED_PASSKEY, FOREIGN_KEY, Key, MEMBER, ORIGIN, OTHER, OWNER, PASSWORD, World};

impl World {
    /// The member enrols an authenticator app.
    pub(crate) async fn begun_enrollment(&self) -> Value {
        self.step_up(Key::Member, Some(MEMBER)).await;
        let begun = self.call(Key::Member, "BeginTOTPEnrollment", &json!({})).await.ok();
        json!({ "enrollmentId": begun["enrollmentId"], "code": self.code_of(begun["secret"].as_str().unwrap()) })
    }

    /// A session has proved a second factor just now.
    pub(crate) async fn proven(&self, key: Key, user_id: UserId) -> Value {
        let principal = PrincipalId::Session(self.people.keys.session_id(key));
        let mut changes = Changes::by(&Caller::system());
        changes.put(Grant { user_id, principal, method: Method::Totp, granted_at: self.clock.now() });
        self.app.store().commit(changes).await.unwrap();
        json!({})
    }

    /// A user to whom the owner can transfer the workspace.
    pub(crate) async fn heir(&self, email: &str) -> Value {
        self.proven(Key::Owner, self.people.owner).await;
        let workspace_id = self.people.workspace_id;
        let heir = newcomer_with_app(self.app.operations(), workspace_id, email, &self.clock).await;
        json!({ "membershipId": heir.to_string() })
    }

    /// The owner has made another workspace.
    pub(crate) async fn second_desk(&self) -> Value {
        self.proven(Key::Owner, self.people.owner).await;
        let made = self.call(Key::Owner, "CreateWorkspace", &json!({ "name": "Second desk" })).await.ok();
        json!({ "workspaceId": made["workspace"]["id"] })
    }

    /// The owner has made another workspace, and deleted it.
    pub(crate) async fn deleted_desk(&self) -> Value {
        let made = self.second_desk().await;
        let delete = json!({ "workspaceId": made["workspaceId"], "confirmName": "Second desk" });
        self.call(Key::Owner, "DeleteWorkspace", &delete).await.ok();
        made
    }

    /// The code that an authenticator app with this secret shows now.
    pub(crate) fn code_of(&self, secret: &str) -> String {
        use secrecy::ExposeSecret as _;
        Rfc6238::code(secret, self.clock.now()).unwrap().expose_secret().to_owned()
    }

    /// The chat user adds an address.
    pub(crate) async fn added_email(&self) -> Value {
        let request = json!({
            "email": "chatter@example.com",
            "password": "nine quiet herons cross the marsh",
            "botCheckToken": "development",
        });
        self.call(Key::Chat, "AddEmailCredential", &request).await.ok();
        json!({ "token": self.mailbox.token("chatter@example.com", "verify"), "password": "nine quiet herons cross the marsh" })
    }

    /// The owner asks for a change of address, which waits for its confirmation.
    pub(crate) async fn waiting_email_change(&self) -> Value {
        self.changed_email("moved@example.com", "confirm").await;
        json!({})
    }

    /// The member is asked for a code that was mailed.
    pub(crate) async fn mailed_challenge(&self) -> Value {
        let begun = self.call(Key::Member, "BeginStepUp", &json!({})).await.ok();
        json!({ "challengeId": begun["challengeId"] })
    }

    /// The owner asks for a change of address; the token of the link of this kind, mailed to this address.
    pub(crate) async fn changed_email(&self, mailed_to: &str, link: &str) -> Value {
        let request = json!({ "newEmail": "moved@example.com", "password": PASSWORD });
        self.call(Key::Full, "ChangeEmail", &request).await.ok();
        let token = self.mailbox.token(mailed_to, link);
        match link {
            "confirm" => json!({ "token": token, "password": PASSWORD }),
            _ => json!({ "token": token }),
        }
    }

    /// The owner signs in, up to the code of the authenticator app.
    pub(crate) async fn begun_sign_in(&self) -> Value {
        let request = json!({ "email": OWNER, "password": PASSWORD });
        let asked = self.client.call(None, "SignIn", &request).await.ok();
        json!({ "challengeId": asked["challengeId"], "code": self.totp_code() })
    }

    /// A user begins to link an identity, up to the platform's answer.
    pub(crate) async fn begun_link(&self, key: Key, method: &str) -> Value {
        let request = json!({ "provider": "LINK_PROVIDER_DISCORD", "redirectUri": FakeLinking::REDIRECT });
        let begun = self.call(key, method, &request).await.ok();
        let state = FakeLinking::state_of(begun["authorizationUrl"].as_str().unwrap());
        json!({ "linkId": begun["linkId"], "state": state })
    }

    /// An identity that is linked to a key's user.
    pub(crate) async fn linked(&self, key: Key) -> Value {
        let mut finish = self.begun_link(key, "BeginAccountLink").await;
        finish["code"] = json!(FakeLinking::code_of("76561198000000002"));
        let linked = self.call(key, "FinishAccountLink", &finish).await.ok();
        json!({ "linkedAccountId": linked["linkedAccount"]["id"] })
    }

    /// The member signs in once more, which no request needs to name.
    pub(crate) async fn signed_in_elsewhere(&self) -> Value {
        self.client.call(None, "SignIn", &json!({ "email": MEMBER, "password": PASSWORD })).await.ok();
        json!({})
    }

    /// A user has forgotten the password; the token of the mailed link.
    pub(crate) async fn requested_reset(&self, email: &str) -> Value {
        let request = json!({ "email": email, "botCheckToken": "development" });
        self.client.call(None, "RequestPasswordReset", &request).await.ok();
        json!({ "token": self.mailbox.token(email, "reset") })
    }

    /// A key's user registers a passkey, up to the authenticator's answer.
    pub(crate) async fn begun_passkey(&self, key: Key) -> Value {
        let begun = self.call(key, "BeginPasskeyRegistration", &json!({ "name": "Laptop" })).await.ok();
        json!({ "credential": Authenticator::default().register(ORIGIN, begun["options"].as_str().unwrap()) })
    }

    /// A key's user has a passkey; its id. The key has stepped up, or its user has no factor yet.
    pub(crate) async fn passkey(&self, key: Key) -> Value {
        let finish = self.begun_passkey(key).await;
        let finished = self.call(key, "FinishPasskeyRegistration", &finish).await.ok();
        json!({ "passkeyId": finished["passkey"]["id"] })
    }

    /// The owner has a passkey, and a key of theirs that has not stepped up yet is asked for a factor.
    pub(crate) async fn begun_step_up_with_passkey(&self) -> Value {
        self.passkey(Key::Full).await;
        let begun = self.call(Key::Unproven, "BeginStepUp", &json!({})).await.ok();
        json!({ "challengeId": begun["challengeId"] })
    }

    /// Asks a key's user for a passkey and answers what completes the step-up by it.
    pub(crate) async fn passkey_answer(&self, key: Key, authenticator: &mut Authenticator) -> Value {
        let challenge = self.call(key, "BeginStepUp", &json!({})).await.ok()["challengeId"].clone();
        let begun = self.call(key, "BeginStepUpPasskey", &json!({ "challengeId": challenge })).await.ok();
        json!({
            "challengeId": challenge,
            "method": "TWO_FACTOR_METHOD_PASSKEY",
            "credential": authenticator.prove(ORIGIN, begun["options"].as_str().unwrap()),
        })
    }

    /// The token of the link that was mailed to the guest.
    pub(crate) async fn mailed_invitation(&self) -> Value {
        json!({ "token": self.mailbox.token("guest@example.com", "invitation") })
    }

    /// A user joined and was suspended.
    pub(crate) async fn suspended_member(&self) -> Value {
        let workspace_id = self.people.workspace_id;
        let idle = newcomer(self.app.operations(), workspace_id, "idle@example.com").await;
        let request = json!({ "membershipId": idle.to_string() });
        self.call(Key::Full, "SuspendMembership", &request).await.ok();
        request
    }

    /// The owner has a passkey and is asked for one, up to the authenticator's answer.
    pub(crate) async fn begun_passkey_sign_in(&self) -> Value {
        let mut authenticator = self.registered(Key::Full).await;
        self.passkey_sign_in(&mut authenticator).await
    }

    /// Asks for whichever passkey there is, and answers what signs in by it.
    pub(crate) async fn passkey_sign_in(&self, authenticator: &mut Authenticator) -> Value {
        let begun = self.client.call(None, "BeginPasskeySignIn", &json!({})).await.ok();
        let credential = authenticator.sign_in(ORIGIN, begun["options"].as_str().unwrap());
        json!({ "challengeId": begun["challengeId"], "credential": credential })
    }

    /// The authenticator with a new passkey of a key's user. The key has stepped up, or its user has no factor yet.
    pub(crate) async fn registered(&self, key: Key) -> Authenticator {
        let mut authenticator = Authenticator::default();
        let begun = self.call(key, "BeginPasskeyRegistration", &json!({ "name": "Laptop" })).await.ok();
        let credential = authenticator.register(ORIGIN, begun["options"].as_str().unwrap());
        self.call(key, "FinishPasskeyRegistration", &json!({ "credential": credential })).await.ok();
        authenticator
    }

    /// The caller that trades in the workspace.
    fn trading(&self) -> Trading<'_> {
        let workspace_id = self.desk.workspace_id;
        Trading { operations: self.app.operations(), clock: &self.clock, workspace_id }
    }

    /// A contract of its own, whatever became of the others, and a number that no listing had.
    async fn fresh_deal(&self) -> (ContractId, u32) {
        let contract = self.trading().active("Redlines again", ApprovalMode::Automatic).await;
        let seconds = self.clock.now().as_micros().div_euclid(1_000_000);
        (contract, u32::try_from(seconds.rem_euclid(1_000_000)).unwrap())
    }

    /// An item that is on sale.
    pub(crate) async fn listed_item(&self) -> Value {
        let (contract, number) = self.fresh_deal().await;
        let (_, item) = self.trading().receive(contract, number).await;
        let price = Cents::new(1_900).unwrap();
        let place = SalePlace { marketplace: Marketplace::new("skinport").unwrap(), contract_id: None };
        self.trading()
            .move_item(item, ItemEvent::ListingStarted { place, price, takes_locked: true, exchange_rate: None })
            .await;
        let listing_id = ExternalId::new(&format!("sale-{number}")).unwrap();
        let asset_id = AssetId::new(&format!("2{number:06}")).unwrap();
        self.trading().move_item(item, ItemEvent::ListingAccepted { listing_id, asset_id }).await;
        json!({ "inventoryItemId": item.to_string() })
    }

    /// An item that can be traded and put on sale.
    pub(crate) async fn free_item(&self) -> Value {
        let (contract, number) = self.fresh_deal().await;
        let (_, item) = self.trading().receive_protected(contract, number, time::Duration::ZERO).await;
        json!({ "inventoryItemId": item.to_string() })
    }

    /// An item that two snapshots did not show.
    pub(crate) async fn missing_item(&self) -> Value {
        let (contract, number) = self.fresh_deal().await;
        let (_, item) = self.trading().receive(contract, number).await;
        let last_absent_at = self.clock.now();
        let first_absent_at = last_absent_at.plus(-time::Duration::minutes(10));
        self.trading().move_item(item, ItemEvent::WentMissing { first_absent_at, last_absent_at }).await;
        json!({ "inventoryItemId": item.to_string() })
    }

    /// A purchase at the one marketplace that this server can ask.
    pub(crate) async fn purchase_elsewhere(&self) -> Value {
        json!({ "purchaseId": self.trading().buy_elsewhere().await.to_string() })
    }

    /// A purchase that was paid and is not going to be delivered.
    pub(crate) async fn owed_purchase(&self) -> Value {
        let (contract, number) = self.fresh_deal().await;
        let trading = self.trading();
        let purchase = trading.record(contract, number).await;
        let price = Cents::new(1_190).unwrap();
        trading.advance(purchase, PurchaseEvent::Submitted { listing_price: price }).await;
        let order = Order {
            id: ExternalId::new(&format!("order-{number}")).unwrap(),
            executed_price: price,
            fee: Cents::new(30).unwrap(),
        };
        trading.advance(purchase, PurchaseEvent::Accepted(order)).await;
        trading.advance(purchase, PurchaseEvent::DeliveryFailed(FailureCode::SellerLate)).await;
        json!({ "purchaseId": purchase.to_string() })
    }

    /// A key of the other workspace, by name of the field that holds an id of it.
    pub(crate) fn foreign_id(&self, field: &str) -> String {
        let (people, desk) = (&self.people, &self.other_desk);
        match field {
            "workspaceId" => people.other_workspace_id.to_string(),
            "userId" | "userIds" | "actorId" => people.other.to_string(),
            "membershipId" | "membershipIds" => people.foreign_membership.to_string(),
            "linkedAccountId" => CHAT_IDENTITY.to_string(),
            "sessionId" => people.foreign_session.to_string(),
            "passkeyId" => COPIED_PASSKEY.to_string(),
            "workspaceKeyId" => FOREIGN_KEY.to_string(),
            "apiKeyId" => people.keys.id(Key::Other).to_string(),
            "contractId" | "contractIds" | "sellingContractId" => desk.contract.to_string(),
            "contractVersionIds" => desk.contract_version.to_string(),
            "subjectId" => desk.contract.to_string(),
            "transitionId" | "transitionIds" | "afterTransitionId" => desk.transition.to_string(),
            "poolId" | "poolIds" => desk.pool.to_string(),
            "ledgerEntryIds" => desk.ledger_entry.to_string(),
            "filterSetId" | "filterSetIds" => desk.filter_set.to_string(),
            "evaluationId" | "evaluationIds" => desk.evaluation.to_string(),
            "intentId" | "intentIds" => desk.intent.to_string(),
            "remediationId" | "remediationIds" => desk.remediation.to_string(),
            "purchaseId" | "purchaseIds" => desk.purchase.to_string(),
            "inventoryItemId" | "inventoryItemIds" => desk.item.to_string(),
            _ => panic!("no record of {OTHER} has an id for the field {field}"),
        }
    }
}
