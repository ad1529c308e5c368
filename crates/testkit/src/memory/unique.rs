//! The values that must be unique in addition to addresses, and for how long.

use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::membership::{Membership, Status};
use tradepost_domain::accounts::user::LinkedIdentity;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace_key::{WorkspaceKey, WorkspaceSecret};
use tradepost_domain::alerts::message::AlertMessage;
use tradepost_domain::contracts::assignment::{Assignee, Assignment};
use tradepost_domain::contracts::intent::{Intent, Target};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::contracts::remediation::Remediation;
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::provider::Provider;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::account_session::AccountSession;
use tradepost_domain::trading::chat::{ChatMessage, Conversation};
use tradepost_domain::trading::confirmation::Confirmation;
use tradepost_domain::trading::friend::Friend;
use tradepost_domain::trading::lease::Lease;
use tradepost_domain::trading::renewal::Renewal;
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotItem, SnapshotStatus};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trade_offer::{OfferOwner, TradeOffer, TradeOfferStatus};
use tradepost_domain::trading::trading_account::TradingAccount;

use tradepost_ports::record::AnyRecord;
use tradepost_ports::store::Unique;

/// A key that at most one record may hold.
pub(super) type UniqueKey = (Unique, Vec<Vec<u8>>);

/// Returns the keys that a record holds in its state.
pub(super) fn keys_of(record: &AnyRecord) -> Vec<UniqueKey> {
    match record {
        AnyRecord::User(user) => keys_of_user(user),
        AnyRecord::LinkedIdentity(identity) => keys_of_identity(identity),
        AnyRecord::Passkey(passkey) => vec![(Unique::PasskeyCredential, vec![passkey.credential_id.clone()])],
        AnyRecord::EmailLink(_) | AnyRecord::Session(_) | AnyRecord::ApiKey(_) => keys_of_credential(record),
        AnyRecord::AlertMessage(message) => keys_of_alert(message),
        AnyRecord::Membership(membership) => keys_of_membership(membership),
        AnyRecord::WorkspaceKey(key) => keys_of_workspace_key(key),
        AnyRecord::WorkspaceSecret(secret) => keys_of_secret(secret),
        AnyRecord::Purchase(purchase) => keys_of_purchase(purchase),
        AnyRecord::Remediation(remediation) => keys_of_remediation(remediation),
        AnyRecord::TradeOffer(offer) => keys_of_trade_offer(offer),
        AnyRecord::Snapshot(_) | AnyRecord::SnapshotItem(_) => keys_of_inventory(record),
        AnyRecord::Confirmation(confirmation) => keys_of_confirmation(confirmation),
        AnyRecord::AccountSession(_) | AnyRecord::Renewal(_) => keys_of_sign_in(record),
        AnyRecord::Friend(_) | AnyRecord::Conversation(_) | AnyRecord::ChatMessage(_) => keys_of_social(record),
        AnyRecord::Intent(intent) => keys_of_intent(intent),
        AnyRecord::InventoryItem(item) => keys_of_item(item),
        AnyRecord::VariantOverride(given) => keys_of_override(given),
        AnyRecord::Provider(provider) => keys_of_provider(provider),
        AnyRecord::Lease(lease) => keys_of_lease(lease),
        AnyRecord::TradingAccount(account) => keys_of_account(account),
        AnyRecord::Assignment(assignment) => keys_of_assignment(assignment),
        AnyRecord::ProviderHealth(_)
        | AnyRecord::AccountGroup(_)
        | AnyRecord::AccountLink(_)
        | AnyRecord::ConsumedAssertion(_)
        | AnyRecord::PasskeyRegistration(_)
        | AnyRecord::Totp(_)
        | AnyRecord::TotpEnrollment(_)
        | AnyRecord::RecoveryCodes(_)
        | AnyRecord::Guesses(_)
        | AnyRecord::CodeGuesses(_)
        | AnyRecord::Challenge(_)
        | AnyRecord::Grant(_)
        | AnyRecord::PendingSignIn(_)
        | AnyRecord::PasskeySignIn(_)
        | AnyRecord::Workspace(_)
        | AnyRecord::PricingRules(_)
        | AnyRecord::FilterSet(_)
        | AnyRecord::Pool(_)
        | AnyRecord::Contract(_)
        | AnyRecord::ContractVersion(_)
        | AnyRecord::Import(_)
        | AnyRecord::ImportRows(_)
        | AnyRecord::AlertChannel(_)
        | AnyRecord::AlertProgress(_)
        | AnyRecord::AlertRule(_)
        | AnyRecord::EquityMark(_)
        | AnyRecord::InventoryChange(_)
        | AnyRecord::FriendList(_)
        | AnyRecord::ConfirmationList(_)
        | AnyRecord::OfferReading(_)
        | AnyRecord::WebhookEndpoint(_)
        | AnyRecord::WebhookProgress(_)
        | AnyRecord::WebhookDelivery(_)
        | AnyRecord::OutgoingMail(_)
        | AnyRecord::Execution(_)
        | AnyRecord::AuditHead(_) => Vec::new(),
    }
}

fn keys_of_credential(record: &AnyRecord) -> Vec<UniqueKey> {
    if let AnyRecord::EmailLink(link) = record {
        return keys_of_token("email link", &link.digest);
    }
    if let AnyRecord::Session(session) = record {
        return keys_of_token("session", &session.digest);
    }
    if let AnyRecord::ApiKey(key) = record { keys_of_token("api key", &key.digest) } else { Vec::new() }
}

fn keys_of_token(of: &str, digest: &TokenDigest) -> Vec<UniqueKey> {
    vec![(Unique::TokenDigest, vec![of.as_bytes().to_vec(), digest.0.to_vec()])]
}

fn keys_of_user(user: &User) -> Vec<UniqueKey> {
    user.email.iter().map(|email| (Unique::UserEmail, vec![email.key().as_bytes().to_vec()])).collect()
}

fn keys_of_workspace_key(key: &WorkspaceKey) -> Vec<UniqueKey> {
    let number = vec![key.workspace_id.to_bytes().to_vec(), key.number.to_be_bytes().to_vec()];
    vec![(Unique::WorkspaceKey, number)]
}

fn keys_of_lease(lease: &Lease) -> Vec<UniqueKey> {
    vec![(Unique::Lease, vec![lease.workspace_id.to_bytes().to_vec(), lease.work.to_string().into_bytes()])]
}

fn keys_of_secret(secret: &WorkspaceSecret) -> Vec<UniqueKey> {
    let place = [secret.place.table.as_str(), secret.place.column.as_str()].map(|text| text.as_bytes().to_vec());
    let (workspace, row) = (secret.workspace_id.to_bytes().to_vec(), secret.place.row.to_vec());
    vec![(Unique::SecretPlace, [workspace, row].into_iter().chain(place).collect())]
}

fn keys_of_override(given: &VariantOverride) -> Vec<UniqueKey> {
    let workspace = given.workspace_id.to_bytes().to_vec();
    vec![(Unique::OverriddenVariant, vec![workspace, given.variant.to_string().into_bytes()])]
}

fn keys_of_provider(provider: &Provider) -> Vec<UniqueKey> {
    let workspace = provider.workspace_id.to_bytes().to_vec();
    let kind = provider.kind.code().to_be_bytes().to_vec();
    vec![(Unique::ProviderName, vec![workspace, kind, provider.name.as_str().as_bytes().to_vec()])]
}

fn keys_of_assignment(assignment: &Assignment) -> Vec<UniqueKey> {
    let (kind, assignee) = match assignment.assignee {
        Assignee::Account(id) => (0, id.to_bytes()),
        Assignee::Group(id) => (1, id.to_bytes()),
    };
    let ids = [assignment.workspace_id.to_bytes(), assignment.pool_id.to_bytes(), assignee];
    vec![(Unique::Assignment, ids.map(Vec::from).into_iter().chain([vec![kind]]).collect())]
}

fn keys_of_item(item: &InventoryItem) -> Vec<UniqueKey> {
    if !item.is_live() {
        return Vec::new();
    }
    let workspace = item.workspace_id.to_bytes().to_vec();
    let game = item.app_id.get().to_be_bytes().to_vec();
    vec![(Unique::LiveAsset, vec![workspace, game, item.current_asset_id().as_str().as_bytes().to_vec()])]
}

fn keys_of_account(account: &TradingAccount) -> Vec<UniqueKey> {
    if account.status.is_terminal() {
        return Vec::new();
    }
    let workspace = account.workspace_id.to_bytes().to_vec();
    let number = account.platform_user_id.number().get().to_be_bytes().to_vec();
    let platform = account.platform.as_str().as_bytes().to_vec();
    vec![
        (Unique::AccountName, vec![workspace.clone(), account.name.as_str().as_bytes().to_vec()]),
        (Unique::PlatformAccount, vec![workspace, platform, number]),
    ]
}

fn keys_of_purchase(purchase: &Purchase) -> Vec<UniqueKey> {
    let terms = &purchase.terms;
    let at_marketplace = |unique, id: &ExternalId| {
        let names = [terms.marketplace.as_str(), id.as_str()].map(|text| text.as_bytes().to_vec());
        (unique, std::iter::once(terms.workspace_id.to_bytes().to_vec()).chain(names).collect())
    };
    let listing = purchase.is_live().then(|| at_marketplace(Unique::LiveListing, &terms.listing_id));
    let order = purchase.progress.order.as_ref().map(|order| at_marketplace(Unique::PurchaseOrder, &order.id));
    listing.into_iter().chain(order).collect()
}

fn keys_of_identity(identity: &LinkedIdentity) -> Vec<UniqueKey> {
    let key = [identity.provider.as_str(), identity.subject.as_str()].map(|text| text.as_bytes().to_vec());
    vec![(Unique::LinkedIdentity, key.to_vec())]
}

fn keys_of_alert(message: &AlertMessage) -> Vec<UniqueKey> {
    let ids = [message.workspace_id.to_bytes(), message.channel_id.to_bytes()].map(|id| id.to_vec());
    let problem = message.problem.as_str().as_bytes().to_vec();
    vec![(Unique::AlertProblem, ids.into_iter().chain([problem]).collect())]
}

fn keys_of_trade_offer(offer: &TradeOffer) -> Vec<UniqueKey> {
    let workspace = offer.workspace_id.to_bytes().to_vec();
    let unsent = matches!(offer.status, TradeOfferStatus::Draft | TradeOfferStatus::SendUncertain);
    let own = match offer.owner {
        Some(OfferOwner::Item(id)) if unsent => Some(id.to_bytes().to_vec()),
        Some(OfferOwner::Item(_) | OfferOwner::Purchase(_)) | None => None,
    };
    let seen = offer
        .offer_id
        .as_ref()
        .map(|id| [offer.account_name.as_str(), id.as_str()].map(|text| text.as_bytes().to_vec()));
    let seen = seen.map(|[account, id]| (Unique::SeenOffer, vec![workspace.clone(), account, id]));
    let own = own.map(|id| (Unique::UnsentOffer, vec![workspace.clone(), id]));
    seen.into_iter().chain(own).collect()
}

fn keys_of_inventory(record: &AnyRecord) -> Vec<UniqueKey> {
    if let AnyRecord::Snapshot(snapshot) = record {
        return keys_of_snapshot(snapshot);
    }
    if let AnyRecord::SnapshotItem(item) = record { keys_of_snapshot_item(item) } else { Vec::new() }
}

fn keys_of_snapshot(snapshot: &Snapshot) -> Vec<UniqueKey> {
    let account = || [snapshot.workspace_id.to_bytes(), snapshot.account_id.to_bytes()].map(Vec::from).to_vec();
    let taking = (snapshot.status == SnapshotStatus::Taking).then(|| (Unique::TakenSnapshot, account()));
    let numbered = |number: u32| {
        let key = account().into_iter().chain([number.to_be_bytes().to_vec()]).collect();
        (Unique::SnapshotNumber, key)
    };
    taking.into_iter().chain(snapshot.number.map(numbered)).collect()
}

fn keys_of_snapshot_item(shown: &SnapshotItem) -> Vec<UniqueKey> {
    if shown.span.until.is_some() {
        return Vec::new();
    }
    let ids = [shown.workspace_id.to_bytes(), shown.account_id.to_bytes()].map(Vec::from);
    let (game, asset) = (shown.item.app_id.get().to_be_bytes(), shown.item.place.asset_id.as_str().as_bytes());
    vec![(Unique::ShownItem, ids.into_iter().chain([game.to_vec(), asset.to_vec()]).collect())]
}

fn keys_of_social(record: &AnyRecord) -> Vec<UniqueKey> {
    if let AnyRecord::Friend(friend) = record {
        return keys_of_friend(friend);
    }
    if let AnyRecord::Conversation(conversation) = record {
        return keys_of_conversation(conversation);
    }
    if let AnyRecord::ChatMessage(message) = record { keys_of_message(message) } else { Vec::new() }
}

fn keys_of_friend(friend: &Friend) -> Vec<UniqueKey> {
    vec![(Unique::Friend, with_partner(friend.workspace_id.to_bytes(), friend.account_id.to_bytes(), friend.user))]
}

fn keys_of_conversation(conversation: &Conversation) -> Vec<UniqueKey> {
    let (workspace, account) = (conversation.workspace_id.to_bytes(), conversation.account_id.to_bytes());
    vec![(Unique::Conversation, with_partner(workspace, account, conversation.partner))]
}

fn with_partner(workspace: [u8; 16], account: [u8; 16], partner: PlatformUserId) -> Vec<Vec<u8>> {
    vec![workspace.to_vec(), account.to_vec(), partner.number().get().to_be_bytes().to_vec()]
}

fn keys_of_message(message: &ChatMessage) -> Vec<UniqueKey> {
    let ids = [message.workspace_id.to_bytes(), message.conversation_id.to_bytes()].map(|id| id.to_vec());
    let place = message.place.map(|place| {
        let (sent_at, ordinal) = (place.sent_at.as_micros().to_be_bytes(), place.ordinal.to_be_bytes());
        [sent_at.to_vec(), ordinal.to_vec()]
    });
    place.map(|place| (Unique::MessagePlace, ids.into_iter().chain(place).collect())).into_iter().collect()
}

fn keys_of_confirmation(confirmation: &Confirmation) -> Vec<UniqueKey> {
    let texts = [confirmation.account_name.as_str(), confirmation.shown.platform_id.as_str()];
    let texts = texts.map(|text| text.as_bytes().to_vec());
    let workspace = confirmation.workspace_id.to_bytes().to_vec();
    vec![(Unique::SeenConfirmation, std::iter::once(workspace).chain(texts).collect())]
}

fn keys_of_sign_in(record: &AnyRecord) -> Vec<UniqueKey> {
    if let AnyRecord::AccountSession(session) = record {
        return keys_of_account_session(session);
    }
    if let AnyRecord::Renewal(renewal) = record { keys_of_renewal(renewal) } else { Vec::new() }
}

fn keys_of_account_session(session: &AccountSession) -> Vec<UniqueKey> {
    if !session.is_live() {
        return Vec::new();
    }
    let ids = [session.workspace_id.to_bytes(), session.account_id.to_bytes()];
    vec![(Unique::LiveAccountSession, ids.map(Vec::from).to_vec())]
}

fn keys_of_renewal(renewal: &Renewal) -> Vec<UniqueKey> {
    if !renewal.is_open() {
        return Vec::new();
    }
    let ids = [renewal.workspace_id.to_bytes(), renewal.account_id.to_bytes()].map(Vec::from);
    let kind = renewal.kind.code().to_be_bytes().to_vec();
    vec![(Unique::OpenRenewal, ids.into_iter().chain([kind]).collect())]
}

fn keys_of_remediation(remediation: &Remediation) -> Vec<UniqueKey> {
    if !remediation.is_live() {
        return Vec::new();
    }
    let workspace = remediation.workspace_id.to_bytes().to_vec();
    let problem = remediation.kind.code().to_be_bytes().to_vec();
    vec![(Unique::OpenRemediation, vec![workspace, problem, remediation.subject.id_bytes().to_vec()])]
}

fn keys_of_intent(intent: &Intent) -> Vec<UniqueKey> {
    if !intent.is_live() && intent.follow_up.is_none() {
        return Vec::new();
    }
    let workspace = intent.terms.workspace_id.to_bytes().to_vec();
    let listing = match &intent.terms.target {
        Target::Listing(listing) => {
            // What would be bought takes nothing from what is bought.
            let which = if intent.is_live() { "live" } else { "followed" };
            let listing = [which, listing.marketplace.as_str(), listing.listing_id.as_str()];
            Some((Unique::LiveBuy, listing.map(|text| text.as_bytes().to_vec()).to_vec()))
        }
        Target::Item(_) | Target::Offer(_) => None,
    };
    let item = intent.claimed_item().map(|item| (Unique::LiveSale, vec![item.to_bytes().to_vec()]));
    let within = |(unique, key): UniqueKey| (unique, std::iter::once(workspace.clone()).chain(key).collect());
    listing.into_iter().chain(item).map(within).collect()
}

fn keys_of_membership(membership: &Membership) -> Vec<UniqueKey> {
    let workspace = membership.workspace_id.to_bytes().to_vec();
    let is_live = !membership.status().is_terminal();
    let member = membership.user_id().filter(|_| is_live);
    let invitee = membership.invitee.as_ref().filter(|_| membership.status() == Status::Invited);
    let member = member.map(|user| (Unique::LiveMember, vec![workspace.clone(), user.to_bytes().to_vec()]));
    let invitee =
        invitee.map(|email| (Unique::LiveInvitation, vec![workspace.clone(), email.key().as_bytes().to_vec()]));
    let token = membership.token().map(|digest| vec![b"invitation".to_vec(), digest.0.to_vec()]);
    member.into_iter().chain(invitee).chain(token.map(|token| (Unique::TokenDigest, token))).collect()
}
