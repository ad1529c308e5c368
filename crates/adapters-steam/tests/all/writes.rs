//! Steam is read alone: what would change anything is rejected, and no request is sent.

use std::fmt::Debug;

use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{
    CONFIRMS_OFFER, Confirmation, ConfirmationAnswer, ConfirmationHandle, GamePlatform as _, NewOffer, PlatformRefusal,
    PlatformResult,
};

use crate::traders::Traders;

/// The reason for which a call is rejected.
fn reason<T: Debug>(result: &PlatformResult<T>) -> &str {
    match result {
        Err(ExternalError::Rejected(PlatformRefusal::Other(text))) => text,
        Ok(_) | Err(_) => panic!("not rejected: {result:?}"),
    }
}

fn confirmation(offer: &ExternalId) -> Confirmation {
    Confirmation {
        id: ExternalId::from(7),
        handle: ConfirmationHandle::default(),
        kind: CONFIRMS_OFFER,
        kind_name: "Trade Offer".to_owned(),
        creator: offer.clone(),
        headline: String::new(),
        summary: Vec::new(),
        created_at: Timestamp::MIN,
    }
}

#[tokio::test]
async fn every_write_is_rejected_without_a_request() {
    let traders = Traders::new().await;
    let (ada, bob, steam) = (traders.ada(), traders.bob(), &traders.platform);
    let waiting = traders.offered(bob, ada).await.id;
    let ours = traders.sent(ada, bob).await.id;
    let gift = NewOffer { to: bob.clone(), give: vec![traders.item_of(ada)], receive: Vec::new(), message: None };
    let before = traders.scene.facades.fakes.ledger();
    let shown = traders.world.offers(ada.user, Timestamp::MIN).await.unwrap();
    let reasons = [
        reason(&steam.accept(ada.user, &waiting).await).to_owned(),
        reason(&steam.decline(ada.user, &waiting).await).to_owned(),
        reason(&steam.cancel(ada.user, &ours).await).to_owned(),
        reason(&steam.send(ada.user, &gift).await).to_owned(),
        reason(&steam.answer(ada.user, &confirmation(&ours), ConfirmationAnswer::Allow).await).to_owned(),
        reason(&steam.renew_trade_token(ada.user).await).to_owned(),
    ];
    assert!(reasons.iter().all(|reason| reason.starts_with("Steam is read alone: ")), "{reasons:?}");
    assert_eq!(traders.scene.facades.fakes.ledger(), before, "no request was sent");
    assert_eq!(traders.world.offers(ada.user, Timestamp::MIN).await, Ok(shown), "nothing changed");
}
