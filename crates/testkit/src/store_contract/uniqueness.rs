//! Promises about unique values: a duplicate is rejected by its name while another record holds the value, which is free again afterwards.

use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::accounts::api_key::{ApiKey, TokenDigest};
use tradepost_domain::accounts::email_link::EmailLink;
use tradepost_domain::accounts::membership::Event;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_domain::contracts::chain::AssetIdLink;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{CancelCause, Purchase, PurchaseEvent, PurchaseStatus, PurchaseTerms};
use tradepost_ports::changes::{AppendedRow, Seen};
use tradepost_ports::record::{AnyRecord, Record};
use tradepost_ports::store::{Store, StoreError, Unique};

use super::{insert, remove, revise, system, value};
use crate::samples::{Samples, Scene, email, minute, start, text};

pub async fn an_address_holds_one_record(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let purchase = scene.purchase(store, PurchaseStatus::Traded).await;
    let item = scene.item(store, 2).await.0;
    let totp = scene.samples.totp(scene.user.id);
    insert(store, [totp.clone().into()]).await.unwrap();
    refused(store, User { email: None, ..scene.user.clone() }, Unique::Address).await;
    refused(store, scene.workspace.clone(), Unique::Address).await;
    refused(store, totp, Unique::Address).await;
    refused(store, scene.contract.clone(), Unique::Address).await;
    let other_listing = PurchaseTerms { listing_id: scene.samples.external_id(), ..purchase.terms.clone() };
    refused(store, Purchase::record(other_listing, start()).unwrap(), Unique::Address).await;
    let closed = scene.samples.item_in(&purchase, ItemStatus::WrittenOff).0.into_parts();
    let closed =
        InventoryItem::restore(tradepost_domain::contracts::inventory_item::ItemParts { id: item.id, ..closed })
            .unwrap();
    refused(store, closed, Unique::Address).await;
}

pub async fn a_verified_address_belongs_to_one_user(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let holder = User { email: Some(email("ada@example.com")), ..samples.user() };
    let other = User { email: Some(email("ADA@example.com")), ..samples.user() };
    insert(store, [holder.clone().into()]).await.unwrap();
    refused(store, other.clone(), Unique::UserEmail).await;
    let seen = store.users().find(holder.id).await.unwrap().unwrap();
    revise(store, seen, |user| user.at_email(samples.email(), minute(1))).await.unwrap();
    taken(store, other).await;
}

pub async fn a_revision_cannot_take_what_another_record_holds(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [holder, other] = [samples.user(), samples.user()];
    insert(store, [holder.clone().into(), other.clone().into()]).await.unwrap();
    let seen = store.users().find(other.id).await.unwrap().unwrap();
    let outcome = revise(store, seen, |user| User { email: holder.email.clone(), ..user }).await;
    assert_eq!(outcome, Err(StoreError::Duplicate(Unique::UserEmail)));
    assert_eq!(value(store.users().find(other.id).await.unwrap()), Some(other));
}

pub async fn a_record_keeps_what_it_holds_through_a_revision(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let seen = store.users().find(scene.user.id).await.unwrap().unwrap();
    revise(store, seen, |user| User { display_name: text("Renamed"), ..user }).await.unwrap();
    let other = User { email: scene.user.email.clone(), ..scene.samples.user() };
    refused(store, other, Unique::UserEmail).await;
}

pub async fn users_without_an_address_are_no_duplicates(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let both = [samples.user_without_email().into(), samples.user_without_email().into()];
    assert!(insert(store, both).await.is_ok());
}

pub async fn an_identity_of_another_platform_belongs_to_one_user(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [holder, other] = [samples.user(), samples.user()];
    let held = samples.linked_identity(holder.id);
    insert(store, [holder.into(), other.clone().into(), held.clone().into()]).await.unwrap();
    let same = LinkedIdentity { subject: held.subject.clone(), ..samples.linked_identity(other.id) };
    let elsewhere = LinkedIdentity { id: samples.id(), provider: Provider::Steam, ..same.clone() };
    refused(store, same.clone(), Unique::LinkedIdentity).await;
    taken(store, elsewhere).await;
    remove(store, Seen::loaded(held, 1)).await.unwrap();
    taken(store, same).await;
}

pub async fn a_passkey_credential_belongs_to_one_user(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [holder, other] = [samples.user(), samples.user()];
    let held = samples.passkey(holder.id);
    insert(store, [holder.into(), other.clone().into(), held.clone().into()]).await.unwrap();
    let same = Passkey { credential_id: held.credential_id.clone(), ..samples.passkey(other.id) };
    refused(store, same.clone(), Unique::PasskeyCredential).await;
    remove(store, Seen::loaded(held, 1)).await.unwrap();
    taken(store, same).await;
}

pub async fn a_token_opens_one_key_even_when_it_is_revoked(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let same = ApiKey { digest: home.key.digest, ..abroad.samples.key(&abroad.membership) };
    refused(store, same.clone(), Unique::TokenDigest).await;
    let key = store.api_keys().find(home.scope(), home.key.id).await.unwrap().unwrap().key;
    revise(store, key, |key| key.revoke(minute(1)).unwrap()).await.unwrap();
    refused(store, same, Unique::TokenDigest).await;
}

pub async fn a_token_opens_one_mailed_link(store: &dyn Store) {
    let samples = Samples::seeded(1);
    let [holder, other] = [samples.user(), samples.user()];
    let held = samples.email_link(holder.id);
    insert(store, [holder.into(), other.clone().into(), held.clone().into()]).await.unwrap();
    let same = EmailLink { digest: held.digest, ..samples.email_link(other.id) };
    let mut put = system();
    put.put(same.clone());
    assert_eq!(store.commit(put).await, Err(StoreError::Duplicate(Unique::TokenDigest)));
    remove(store, Seen::loaded(held, 1)).await.unwrap();
    taken(store, same).await;
}

pub async fn a_token_opens_one_invitation(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let token = TokenDigest([7; 32]);
    let invitation = || scene.samples.invitation(scene.id(), &scene.samples.email()).with_token(token);
    insert(store, [invitation().into()]).await.unwrap();
    refused(store, invitation(), Unique::TokenDigest).await;
}

pub async fn a_user_is_a_live_member_once(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let user = home.samples.user();
    let first = home.samples.member(home.id(), user.id);
    let second = home.samples.member(home.id(), user.id);
    insert(store, [user.clone().into(), first.clone().into()]).await.unwrap();
    refused(store, second.clone(), Unique::LiveMember).await;
    taken(store, home.samples.member(abroad.id(), user.id)).await;
    let seen = store.memberships().find(home.scope(), first.id).await.unwrap().unwrap();
    revise(store, seen, |first| first.apply(Event::Suspend, minute(1)).unwrap()).await.unwrap();
    refused(store, second.clone(), Unique::LiveMember).await;
    let seen = store.memberships().find(home.scope(), first.id).await.unwrap().unwrap();
    revise(store, seen, |first| first.apply(Event::Remove, minute(2)).unwrap()).await.unwrap();
    taken(store, second).await;
}

pub async fn an_address_is_invited_once_at_a_time(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let invitee = email("ada@example.com");
    for end in [Event::Decline, Event::RevokeInvitation, Event::Accept { by: abroad.user.id }] {
        let open = home.samples.invitation(home.id(), &invitee);
        insert(store, [open.clone().into()]).await.unwrap();
        let again = home.samples.invitation(home.id(), &email("ADA@example.com"));
        refused(store, again, Unique::LiveInvitation).await;
        let seen = store.memberships().find(home.scope(), open.id).await.unwrap().unwrap();
        revise(store, seen, |open| open.apply(end, minute(1)).unwrap()).await.unwrap();
    }
    taken(store, home.samples.invitation(home.id(), &invitee)).await;
    taken(store, home.samples.invitation(abroad.id(), &invitee)).await;
}

pub async fn a_listing_has_one_live_purchase(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let held = home.purchase(store, PurchaseStatus::Pending).await;
    let again = |scene: &Scene, marketplace: &str| {
        let terms = PurchaseTerms {
            listing_id: held.terms.listing_id.clone(),
            marketplace: text(marketplace),
            ..scene.samples.purchase_terms(scene.id(), scene.contract.id)
        };
        Purchase::record(terms, start()).unwrap()
    };
    let same = again(&home, "csfloat");
    refused(store, same.clone(), Unique::LiveListing).await;
    taken(store, again(&home, "dmarket")).await;
    taken(store, again(&abroad, "csfloat")).await;
    let seen = store.purchases().find(home.scope(), held.terms.id).await.unwrap().unwrap();
    let withdrawn = PurchaseEvent::Cancelled(CancelCause::Withdrawn);
    revise(store, seen, |held| held.apply(withdrawn, minute(1)).unwrap()).await.unwrap();
    taken(store, same).await;
}

pub async fn an_order_of_a_marketplace_belongs_to_one_purchase(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let held = home.purchase(store, PurchaseStatus::WrittenOff).await;
    let order = held.progress.order.clone().unwrap();
    let again = |scene: &Scene, marketplace: &str| {
        let terms = PurchaseTerms {
            marketplace: text(marketplace),
            ..scene.samples.purchase_terms(scene.id(), scene.contract.id)
        };
        let steps =
            [PurchaseEvent::Submitted { listing_price: terms.listing_price }, PurchaseEvent::Accepted(order.clone())];
        let recorded = Purchase::record(terms, start()).unwrap();
        steps.into_iter().fold(recorded, |purchase, step| purchase.apply(step, start()).unwrap())
    };
    refused(store, again(&home, "csfloat"), Unique::PurchaseOrder).await;
    taken(store, again(&home, "dmarket")).await;
    taken(store, again(&abroad, "csfloat")).await;
}

pub async fn an_asset_is_one_live_item(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (held, _) = home.item_in(store, ItemStatus::Missing).await;
    let again = async |scene: &Scene| {
        let purchase = scene.purchase(store, PurchaseStatus::Traded).await;
        scene.samples.item_known_as(&purchase, held.current_asset_id().clone()).0
    };
    let same = again(&home).await;
    refused(store, same.clone(), Unique::LiveAsset).await;
    taken(store, again(&abroad).await).await;
    let seen = store.items().find(home.scope(), held.id).await.unwrap().unwrap();
    let given_up = tradepost_domain::contracts::inventory_item::ItemEvent::GivenUp;
    revise(store, seen, |held| held.apply(given_up, minute(100_000)).unwrap().0).await.unwrap();
    taken(store, same).await;
}

pub async fn a_fact_is_recorded_once_in_a_chain(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, chain) = scene.item(store, 2).await;
    let last = chain.last().unwrap();
    let twice = AssetIdLink { id: scene.samples.id(), step: 2, previous: Some(last.asset_id.clone()), ..last.clone() };
    let mut changes = system();
    changes.append(AppendedRow::Link(twice));
    assert_eq!(store.commit(changes).await, Err(StoreError::Duplicate(Unique::LinkEvidence)));
    assert_eq!(store.items().list_links(scene.scope(), item.id, 0, 50).await.unwrap(), Some(chain));
}

pub async fn a_step_of_a_chain_is_taken_once(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (item, chain) = scene.item(store, 2).await;
    let last = chain.last().unwrap();
    let rival = AssetIdLink { id: scene.samples.id(), source_id: scene.samples.external_id(), ..last.clone() };
    let mut changes = system();
    changes.append(AppendedRow::Link(rival));
    assert_eq!(store.commit(changes).await, Err(StoreError::Duplicate(Unique::Address)));
    assert_eq!(store.items().list_links(scene.scope(), item.id, 0, 50).await.unwrap(), Some(chain));
}

async fn refused<T: Record>(store: &dyn Store, record: T, unique: Unique) {
    let record: AnyRecord = record.into();
    assert_eq!(insert(store, [record]).await, Err(StoreError::Duplicate(unique)));
}

async fn taken<T: Record>(store: &dyn Store, record: T) {
    let record: AnyRecord = record.into();
    assert!(insert(store, [record.clone()]).await.is_ok(), "{record:?} was refused");
}
