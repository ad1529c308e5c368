//! Promises of a game platform, shown on two accounts that trade with each other.

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId, TradeAddress, TradeStatus};

use super::{FaultInjection, retry_after};
use tradepost_ports::external::{Effect, ExternalError, Page};
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Asset, CONFIRMS_OFFER, Confirmation, ConfirmationAnswer, ConfirmationHandle,
    GamePlatform, Hold, NewOffer, Offer, PlatformRefusal, Trade,
};

/// A game platform at which two trading accounts are signed in.
#[async_trait]
pub trait PlatformFixture: FaultInjection {
    /// Returns the platform.
    fn platform(&self) -> &dyn GamePlatform;
    /// Returns the two accounts.
    fn accounts(&self) -> [TradeAddress; 2];
    /// Puts a new item that can be traded into an account.
    async fn item_of(&self, account: PlatformUserId) -> AssetId;
    /// Lets time pass until a confirmation has appeared.
    async fn catch_up(&self);
}

fn external(text: &str) -> ExternalId {
    ExternalId::new(text).unwrap()
}

fn refused<T>(reason: PlatformRefusal) -> Result<T, ExternalError<PlatformRefusal>> {
    Err(ExternalError::Rejected(reason))
}

fn ended<T>(status: OfferStatus) -> Result<T, ExternalError<PlatformRefusal>> {
    refused(PlatformRefusal::OfferEnded(status))
}

fn giving(to: TradeAddress, give: &AssetId) -> NewOffer {
    NewOffer { to, give: vec![give.clone()], receive: Vec::new(), message: None }
}

fn asking(to: TradeAddress, receive: &AssetId) -> NewOffer {
    NewOffer { to, give: Vec::new(), receive: vec![receive.clone()], message: None }
}

fn ids(assets: &[Asset]) -> Vec<&AssetId> {
    assets.iter().map(|asset| &asset.asset_id).collect()
}

/// Returns the first account, the second, and an item of the first.
async fn two(fixture: &dyn PlatformFixture) -> (PlatformUserId, TradeAddress, AssetId) {
    let [us, them] = fixture.accounts();
    (us.user, them, fixture.item_of(us.user).await)
}

async fn inventory(fixture: &dyn PlatformFixture, account: PlatformUserId, context: ContextId) -> Vec<Asset> {
    let inventory = fixture.platform().inventory(account, AppId::CS2, context).await.unwrap();
    assert!(inventory.is_complete);
    inventory.assets
}

/// Returns the confirmation of an offer, once it has appeared.
async fn confirmation_of(fixture: &dyn PlatformFixture, account: PlatformUserId, offer: &ExternalId) -> Confirmation {
    fixture.catch_up().await;
    let confirmations = fixture.platform().confirmations(account).await.unwrap();
    confirmations.into_iter().find(|confirmation| confirmation.is_about_offer(offer)).unwrap()
}

async fn confirm(fixture: &dyn PlatformFixture, account: PlatformUserId, offer: &ExternalId) {
    let confirmation = confirmation_of(fixture, account, offer).await;
    fixture.platform().answer(account, &confirmation, ConfirmationAnswer::Allow).await.unwrap();
}

/// Returns an offer of the first account's item to the second, confirmed and sent.
async fn gift(fixture: &dyn PlatformFixture) -> (PlatformUserId, PlatformUserId, AssetId, Offer) {
    let (us, them, item) = two(fixture).await;
    let sent = fixture.platform().send(us, &giving(them.clone(), &item)).await.unwrap();
    confirm(fixture, us, &sent.id).await;
    let offer = fixture.platform().offer(us, &sent.id).await.unwrap();
    assert_eq!(offer.status, OfferStatus::Active);
    (us, them.user, item, offer)
}

/// Returns the trade that results from the gift, as the giver and as the receiver see it.
async fn given(fixture: &dyn PlatformFixture) -> (AssetId, Trade, Trade) {
    let (us, them, item, offer) = gift(fixture).await;
    let accepted = fixture.platform().accept(them, &offer.id).await.unwrap();
    let Acceptance::Begun { trade_id } = accepted else { panic!("a gift needs no confirmation: {accepted:?}") };
    let of_giver = fixture.platform().trade(us, &trade_id).await.unwrap();
    (item, of_giver, fixture.platform().trade(them, &trade_id).await.unwrap())
}

pub async fn an_item_is_in_the_ordinary_context_of_its_owner(fixture: &dyn PlatformFixture) {
    let (us, them, item) = two(fixture).await;
    let ours = inventory(fixture, us, ContextId::ORDINARY).await;
    assert_eq!(ids(&ours), [&item]);
    assert_eq!(ours[0].locked_until, None);
    assert_eq!(inventory(fixture, us, ContextId::PROTECTED).await, []);
    assert_eq!(inventory(fixture, them.user, ContextId::ORDINARY).await, []);
}

pub async fn an_offer_that_gives_items_waits_for_its_confirmation(fixture: &dyn PlatformFixture) {
    let (us, them, item) = two(fixture).await;
    let sent = fixture.platform().send(us, &giving(them.clone(), &item)).await.unwrap();
    assert_eq!((sent.status, ids(&sent.give)), (OfferStatus::NeedsConfirmation, vec![&item]));
    let early = fixture.platform().accept(them.user, &sent.id).await;
    assert_eq!(early, ended(OfferStatus::NeedsConfirmation));
    confirm(fixture, us, &sent.id).await;
    assert_eq!(fixture.platform().offer(us, &sent.id).await.unwrap().status, OfferStatus::Active);
}

pub async fn an_offer_that_only_asks_is_out_at_once(fixture: &dyn PlatformFixture) {
    let [us, them] = fixture.accounts();
    let theirs = fixture.item_of(them.user).await;
    let sent = fixture.platform().send(us.user, &asking(them, &theirs)).await.unwrap();
    assert_eq!((sent.status, ids(&sent.receive)), (OfferStatus::Active, vec![&theirs]));
}

pub async fn a_denied_confirmation_ends_the_offer(fixture: &dyn PlatformFixture) {
    let (us, them, item) = two(fixture).await;
    let sent = fixture.platform().send(us, &giving(them, &item)).await.unwrap();
    let confirmation = confirmation_of(fixture, us, &sent.id).await;
    fixture.platform().answer(us, &confirmation, ConfirmationAnswer::Deny).await.unwrap();
    let offer = fixture.platform().offer(us, &sent.id).await.unwrap();
    assert_eq!(offer.status, OfferStatus::CancelledBySecondFactor);
    assert_eq!(fixture.platform().confirmations(us).await, Ok(Vec::new()));
}

pub async fn a_confirmation_is_answered_once(fixture: &dyn PlatformFixture) {
    let (us, them, item) = two(fixture).await;
    let sent = fixture.platform().send(us, &giving(them, &item)).await.unwrap();
    let confirmation = confirmation_of(fixture, us, &sent.id).await;
    fixture.platform().answer(us, &confirmation, ConfirmationAnswer::Allow).await.unwrap();
    let again = fixture.platform().answer(us, &confirmation, ConfirmationAnswer::Deny).await;
    assert_eq!(again, refused(PlatformRefusal::NotFound));
    assert_eq!(fixture.platform().offer(us, &sent.id).await.unwrap().status, OfferStatus::Active);
}

pub async fn both_sides_see_an_offer_from_their_own(fixture: &dyn PlatformFixture) {
    let (us, them, item, sent) = gift(fixture).await;
    let received = fixture.platform().offer(them, &sent.id).await.unwrap();
    assert_eq!((sent.is_ours, sent.partner, ids(&sent.give)), (true, them, vec![&item]));
    assert_eq!((received.is_ours, received.partner, ids(&received.receive)), (false, us, vec![&item]));
    assert_eq!((sent.receive, received.give), (Vec::new(), Vec::new()));
    assert!(sent.expires_at > sent.created_at);
}

pub async fn an_accepted_offer_moves_the_items_under_new_ids(fixture: &dyn PlatformFixture) {
    let (item, of_giver, of_receiver) = given(fixture).await;
    let [us, them] = fixture.accounts();
    assert_eq!(inventory(fixture, us.user, ContextId::ORDINARY).await, []);
    let theirs = inventory(fixture, them.user, ContextId::PROTECTED).await;
    let [received] = theirs.as_slice() else { panic!("one item: {theirs:?}") };
    assert_ne!(received.asset_id, item);
    let moved_to = Some((ContextId::PROTECTED, received.asset_id.clone()));
    assert_eq!(of_giver.given[0].moved_to, moved_to);
    assert_eq!(of_receiver.received[0].moved_to, moved_to);
}

pub async fn a_trade_maps_old_ids_to_new_ones_for_both_sides(fixture: &dyn PlatformFixture) {
    let (item, of_giver, of_receiver) = given(fixture).await;
    let [us, them] = fixture.accounts();
    assert_eq!((of_giver.status, of_giver.partner), (TradeStatus::Complete, them.user));
    assert_eq!((of_receiver.status, of_receiver.partner), (TradeStatus::Complete, us.user));
    assert_eq!(of_giver.given, of_receiver.received);
    assert_eq!((of_giver.received, of_receiver.given), (Vec::new(), Vec::new()));
    assert_eq!((&of_giver.given[0].asset_id, &of_giver.given[0].returned_as), (&item, &None));
    assert_eq!((of_giver.rollback_of, of_receiver.rollback_of), (None, None));
}

pub async fn what_was_received_is_protected_and_cannot_be_sent_on(fixture: &dyn PlatformFixture) {
    let (_, trade, _) = given(fixture).await;
    let [us, them] = fixture.accounts();
    let received = inventory(fixture, them.user, ContextId::PROTECTED).await.swap_remove(0);
    assert_eq!(received.locked_until, trade.protected_until);
    assert!(trade.protected_until.is_some_and(|until| until > trade.started_at));
    let sent = fixture.platform().send(them.user, &giving(us, &received.asset_id)).await;
    assert_eq!(sent, refused(PlatformRefusal::AssetUnavailable(received.asset_id)));
}

pub async fn an_offer_is_accepted_once(fixture: &dyn PlatformFixture) {
    let (_, them, _, offer) = gift(fixture).await;
    fixture.platform().accept(them, &offer.id).await.unwrap();
    assert_eq!(fixture.platform().accept(them, &offer.id).await, ended(OfferStatus::Accepted));
    assert_eq!(fixture.platform().decline(them, &offer.id).await, ended(OfferStatus::Accepted));
    assert_eq!(inventory(fixture, them, ContextId::PROTECTED).await.len(), 1);
    assert_eq!(fixture.platform().trades(them, Timestamp::MIN).await.unwrap().len(), 1);
}

pub async fn accepting_what_asks_for_ours_waits_for_a_confirmation(fixture: &dyn PlatformFixture) {
    let [us, them] = fixture.accounts();
    let ours = fixture.item_of(us.user).await;
    let sent = fixture.platform().send(them.user, &asking(us.clone(), &ours)).await.unwrap();
    let accepted = fixture.platform().accept(us.user, &sent.id).await;
    assert_eq!(accepted, Ok(Acceptance::NeedsConfirmation));
    assert_eq!(ids(&inventory(fixture, us.user, ContextId::ORDINARY).await), [&ours]);
    confirm(fixture, us.user, &sent.id).await;
    let offer = fixture.platform().offer(us.user, &sent.id).await.unwrap();
    assert_eq!((offer.status, offer.trade_id.is_some()), (OfferStatus::Accepted, true));
    assert_eq!(inventory(fixture, us.user, ContextId::ORDINARY).await, []);
}

pub async fn a_declined_offer_cannot_be_accepted(fixture: &dyn PlatformFixture) {
    let (us, them, item, offer) = gift(fixture).await;
    fixture.platform().decline(them, &offer.id).await.unwrap();
    assert_eq!(fixture.platform().accept(them, &offer.id).await, ended(OfferStatus::Declined));
    assert_eq!(ids(&inventory(fixture, us, ContextId::ORDINARY).await), [&item]);
}

pub async fn a_cancelled_offer_cannot_be_accepted(fixture: &dyn PlatformFixture) {
    let (us, them, item, offer) = gift(fixture).await;
    fixture.platform().cancel(us, &offer.id).await.unwrap();
    assert_eq!(fixture.platform().accept(them, &offer.id).await, ended(OfferStatus::Cancelled));
    assert_eq!(fixture.platform().cancel(us, &offer.id).await, ended(OfferStatus::Cancelled));
    assert_eq!(ids(&inventory(fixture, us, ContextId::ORDINARY).await), [&item]);
}

pub async fn only_the_recipient_accepts_and_only_the_sender_cancels(fixture: &dyn PlatformFixture) {
    let (us, them, _, offer) = gift(fixture).await;
    assert_eq!(fixture.platform().accept(us, &offer.id).await, refused(PlatformRefusal::NotFound));
    assert_eq!(fixture.platform().decline(us, &offer.id).await, refused(PlatformRefusal::NotFound));
    assert_eq!(fixture.platform().cancel(them, &offer.id).await, refused(PlatformRefusal::NotFound));
    assert_eq!(fixture.platform().offer(us, &offer.id).await.unwrap().status, OfferStatus::Active);
}

pub async fn an_offer_whose_item_was_traded_cannot_be_accepted(fixture: &dyn PlatformFixture) {
    let (us, them, item, first) = gift(fixture).await;
    let [_, address] = fixture.accounts();
    let second = fixture.platform().send(us, &giving(address, &item)).await.unwrap();
    confirm(fixture, us, &second.id).await;
    fixture.platform().accept(them, &first.id).await.unwrap();
    assert_eq!(fixture.platform().accept(them, &second.id).await, ended(OfferStatus::InvalidItems));
    assert_eq!(fixture.platform().offer(us, &second.id).await.unwrap().status, OfferStatus::InvalidItems);
}

pub async fn nobody_gives_what_he_does_not_have(fixture: &dyn PlatformFixture) {
    let [us, them] = fixture.accounts();
    let theirs = fixture.item_of(them.user).await;
    let sent = fixture.platform().send(us.user, &giving(them, &theirs)).await;
    assert_eq!(sent, refused(PlatformRefusal::AssetUnavailable(theirs)));
}

pub async fn nobody_gives_an_item_twice(fixture: &dyn PlatformFixture) {
    let (us, them, item) = two(fixture).await;
    let twice = NewOffer { give: vec![item.clone(), item.clone()], ..giving(them, &item) };
    assert_eq!(fixture.platform().send(us, &twice).await, refused(PlatformRefusal::AssetUnavailable(item)));
}

pub async fn an_offer_of_nothing_is_refused(fixture: &dyn PlatformFixture) {
    let [us, them] = fixture.accounts();
    let empty = NewOffer { to: them, give: Vec::new(), receive: Vec::new(), message: None };
    assert_eq!(fixture.platform().send(us.user, &empty).await, refused(PlatformRefusal::EmptyOffer));
}

pub async fn a_wrong_token_reaches_nobody(fixture: &dyn PlatformFixture) {
    let (us, them, item) = two(fixture).await;
    let wrong = TradeAddress { token: external("wrong"), ..them };
    assert_eq!(fixture.platform().send(us, &giving(wrong, &item)).await, refused(PlatformRefusal::PartnerRefused));
}

pub async fn a_trade_that_would_not_be_held_has_no_hold(fixture: &dyn PlatformFixture) {
    let [us, them] = fixture.accounts();
    assert_eq!(fixture.platform().hold_with(us.user, &them).await, Ok(Hold::default()));
}

pub async fn an_offer_that_would_not_be_held_has_no_hold_for_its_recipient(fixture: &dyn PlatformFixture) {
    let (_, them, _, offer) = gift(fixture).await;
    assert_eq!(fixture.platform().hold_of(them, &offer.id).await, Ok(Hold::default()));
}

pub async fn a_wrong_token_shows_no_hold(fixture: &dyn PlatformFixture) {
    let [us, them] = fixture.accounts();
    let wrong = TradeAddress { token: external("wrong"), ..them };
    assert_eq!(fixture.platform().hold_with(us.user, &wrong).await, refused(PlatformRefusal::PartnerRefused));
}

pub async fn the_token_of_an_account_is_the_one_of_its_trade_url(fixture: &dyn PlatformFixture) {
    for account in fixture.accounts() {
        assert_eq!(fixture.platform().trade_token(account.user).await, Ok(account.token));
    }
}

pub async fn a_renewed_trade_url_replaces_the_earlier_one(fixture: &dyn PlatformFixture) {
    let (us, them, item) = two(fixture).await;
    let token = fixture.platform().renew_trade_token(them.user).await.unwrap();
    assert_ne!(token, them.token);
    assert_eq!(fixture.platform().trade_token(them.user).await, Ok(token.clone()));
    let earlier = fixture.platform().send(us, &giving(them.clone(), &item)).await;
    assert_eq!(earlier, refused(PlatformRefusal::PartnerRefused));
    let renewed = TradeAddress { token, ..them };
    fixture.platform().send(us, &giving(renewed, &item)).await.unwrap();
}

pub async fn a_renewal_whose_answer_was_lost_is_shown_by_the_token(fixture: &dyn PlatformFixture) {
    let [us, _] = fixture.accounts();
    fixture.lose_next_answer().await;
    let answer = fixture.platform().renew_trade_token(us.user).await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
    assert_ne!(fixture.platform().trade_token(us.user).await, Ok(us.token));
}

pub async fn what_is_unknown_is_not_found(fixture: &dyn PlatformFixture) {
    let [us, _] = fixture.accounts();
    for unknown in ["999999999999", "no-such-thing"] {
        let unknown = external(unknown);
        let confirmation = Confirmation {
            id: unknown.clone(),
            handle: ConfirmationHandle::default(),
            kind: CONFIRMS_OFFER,
            kind_name: String::new(),
            creator: unknown.clone(),
            headline: String::new(),
            summary: Vec::new(),
            created_at: fixture.platform().server_time().await.unwrap(),
        };
        let answer = fixture.platform().answer(us.user, &confirmation, ConfirmationAnswer::Allow).await;
        assert_eq!(answer, refused(PlatformRefusal::NotFound));
        assert_eq!(fixture.platform().offer(us.user, &unknown).await, refused(PlatformRefusal::NotFound));
        assert_eq!(fixture.platform().accept(us.user, &unknown).await, refused(PlatformRefusal::NotFound));
        assert_eq!(fixture.platform().trade(us.user, &unknown).await, refused(PlatformRefusal::NotFound));
    }
}

pub async fn offers_and_trades_that_did_not_change_since_are_left_out(fixture: &dyn PlatformFixture) {
    let (_, trade, _) = given(fixture).await;
    let [us, _] = fixture.accounts();
    let platform = fixture.platform();
    let now = platform.server_time().await.unwrap();
    assert!(trade.started_at <= now);
    assert_eq!(platform.offers(us.user, trade.started_at).await.unwrap().len(), 1);
    assert_eq!(platform.trades(us.user, trade.started_at).await.unwrap(), [trade]);
    let later = now.plus(Duration::microseconds(1));
    assert_eq!(platform.offers(us.user, later).await, Ok(Vec::new()));
    assert_eq!(platform.trades(us.user, later).await, Ok(Vec::new()));
}

pub async fn an_account_shows_how_many_items_it_has(fixture: &dyn PlatformFixture) {
    let [us, _] = fixture.accounts();
    let before = fixture.platform().account(us.user).await.unwrap();
    assert!(!before.is_banned && before.inventory_count.is_some());
    fixture.item_of(us.user).await;
    let after = fixture.platform().account(us.user).await.unwrap();
    assert_eq!(after, AccountState { inventory_count: before.inventory_count.map(|count| count + 1), ..before });
}

pub async fn an_offer_shows_what_a_lost_answer_accepted(fixture: &dyn PlatformFixture) {
    let (_, them, _, offer) = gift(fixture).await;
    fixture.lose_next_answer().await;
    let answer = fixture.platform().accept(them, &offer.id).await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
    let read = fixture.platform().offer(them, &offer.id).await.unwrap();
    assert_eq!(read.status, OfferStatus::Accepted);
    let trade = fixture.platform().trade(them, &read.trade_id.unwrap()).await.unwrap();
    assert_eq!((trade.status, trade.received.len()), (TradeStatus::Complete, 1));
}

pub async fn a_call_too_many_does_nothing_and_says_when_to_come_back(fixture: &dyn PlatformFixture) {
    let (_, them, _, offer) = gift(fixture).await;
    fixture.limit_rate().await;
    assert!(!retry_after(fixture.platform().accept(them, &offer.id).await).is_zero());
    assert!(!retry_after(fixture.platform().server_time().await).is_zero());
}

pub async fn a_lost_session_is_reported(fixture: &dyn PlatformFixture) {
    let (_, them, _, offer) = gift(fixture).await;
    fixture.lose_session().await;
    let accepted = fixture.platform().accept(them, &offer.id).await;
    assert!(matches!(accepted, Err(ExternalError::AuthLost { .. })), "{accepted:?}");
    let (nothing, lost) = (Effect::Nothing, "a read has no effect");
    assert_eq!(
        fixture.platform().confirmations(them).await,
        Err(ExternalError::AuthLost { effect: nothing }),
        "{lost}"
    );
    assert_eq!(fixture.platform().account(them).await, Err(ExternalError::AuthLost { effect: nothing }), "{lost}");
}

/// The most records that a platform shows on one page. One that shows more has no second page to test.
const MOST_ON_A_PAGE: usize = 250;

/// Sends so many offers of the first account that they do not fit on one page. They give nothing.
async fn offered_beyond_a_page(fixture: &dyn PlatformFixture) -> (PlatformUserId, Vec<ExternalId>) {
    let ([us, them], mut ids) = (fixture.accounts(), Vec::new());
    while ids.len() <= MOST_ON_A_PAGE {
        let item = fixture.item_of(them.user).await;
        ids.push(fixture.platform().send(us.user, &asking(them.clone(), &item)).await.unwrap().id);
        if fixture.platform().offers_page(us.user, Timestamp::MIN, None).await.unwrap().next.is_some() {
            break;
        }
    }
    (us.user, ids)
}

/// Returns the offers on this page and those after it.
async fn offers_from(
    fixture: &dyn PlatformFixture,
    account: PlatformUserId,
    mut page: Page<Offer>,
) -> Vec<(ExternalId, OfferStatus)> {
    let mut read = Vec::new();
    loop {
        read.extend(page.items.into_iter().map(|offer| (offer.id, offer.status)));
        let Some(next) = page.next else { return read };
        page = fixture.platform().offers_page(account, Timestamp::MIN, Some(&next)).await.unwrap();
    }
}

pub async fn every_offer_is_on_exactly_one_of_several_pages(fixture: &dyn PlatformFixture) {
    let (account, mut offered) = offered_beyond_a_page(fixture).await;
    let first = fixture.platform().offers_page(account, Timestamp::MIN, None).await.unwrap();
    let mut read: Vec<_> = offers_from(fixture, account, first).await.into_iter().map(|(id, _)| id).collect();
    offered.sort();
    read.sort();
    assert_eq!(read, offered);
}

pub async fn an_offer_that_changes_between_two_pages_is_read_and_hides_no_other(fixture: &dyn PlatformFixture) {
    let (account, offered) = offered_beyond_a_page(fixture).await;
    let first = fixture.platform().offers_page(account, Timestamp::MIN, None).await.unwrap();
    let (changed, has_more) = (first.items[0].id.clone(), first.next.is_some());
    fixture.catch_up().await;
    fixture.platform().cancel(account, &changed).await.unwrap();
    let read = offers_from(fixture, account, first).await;
    let hidden: Vec<_> = offered.iter().filter(|id| !read.iter().any(|(read, _)| read == *id)).collect();
    assert!(hidden.is_empty(), "not on any page: {hidden:?}");
    assert_eq!(read.contains(&(changed, OfferStatus::Cancelled)), has_more, "a change is read on a later page");
}

pub async fn a_cursor_that_was_never_given_is_refused(fixture: &dyn PlatformFixture) {
    let ([us, _], unknown) = (fixture.accounts(), external("no-such-page"));
    let offers = fixture.platform().offers_page(us.user, Timestamp::MIN, Some(&unknown)).await;
    assert_eq!(offers, refused(PlatformRefusal::NotFound));
    let trades = fixture.platform().trades_page(us.user, Timestamp::MIN, Some(&unknown)).await;
    assert_eq!(trades, refused(PlatformRefusal::NotFound));
}
