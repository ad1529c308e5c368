//! What contradicts the record: alone, and for its own reason, it keeps a confirmation from being allowed.

use std::num::NonZeroU64;

use time::Duration;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::trading::confirmation::{CheckCode, Confirmation, Consequence};
use tradepost_domain::trading::trade::{OfferStatus, PlatformUserId};
use tradepost_domain::trading::trade_offer::{OfferReport, OfferedAsset};
use tradepost_operations::trading::{CancelTradeOffer, ExamineConfirmation};
use tradepost_operations::{Caller, Code};
use tradepost_ports::game_platform::CONFIRMS_OFFER;
use tradepost_testkit::samples::text;

use super::{Staff, refusal};

/// Makes one thing that the engine has read contradict the record.
type Contradiction = fn(&mut ExamineConfirmation);

const CONTRADICTIONS: [(CheckCode, Contradiction); 8] = [
    (CheckCode::Session, |read| read.holds_lease = false),
    (CheckCode::Session, |read| read.list_age = Duration::minutes(11)),
    (CheckCode::Status, |read| shown(read).status = OfferStatus::Active),
    (CheckCode::Status, |read| shown(read).status = OfferStatus::Accepted),
    (CheckCode::Partner, |read| shown(read).partner = a_stranger()),
    (CheckCode::Gives, |read| shown(read).gives.push(another_item())),
    (CheckCode::Gives, |read| shown(read).gives = vec![another_item()]),
    (CheckCode::Receives, |read| shown(read).receives.push(another_item())),
];

fn shown(read: &mut ExamineConfirmation) -> &mut OfferReport {
    read.report.as_mut().unwrap()
}

fn a_stranger() -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::new(76_561_198_000_054_321).unwrap())
}

fn another_item() -> OfferedAsset {
    OfferedAsset {
        app_id: AppId::CS2,
        asset_id: AssetId::new("501").unwrap(),
        market_hash_name: text("AK-47 | Redline (Field-Tested)"),
    }
}

fn failed(examined: &Confirmation) -> Vec<CheckCode> {
    examined.checks.iter().filter(|check| !check.holds).map(|check| check.code).collect()
}

#[tokio::test]
async fn whatever_the_platform_shows_that_is_not_on_record_keeps_a_confirmation_from_being_allowed() {
    for (code, contradict) in CONTRADICTIONS {
        let staff = Staff::open().await;
        let (on, account) = (&staff.world.operations, staff.register(1).await);
        let (_, report) = staff.sent_offer(account.id, "of-1").await;
        let seen = staff.listed("1", CONFIRMS_OFFER).await.value;
        let mut read = staff.examination(&seen, report);
        contradict(&mut read);
        let examined = on.examine_confirmation(&Caller::system(), &read).await.unwrap();
        assert_eq!(failed(&examined.confirmation.value), [code]);
        assert!(examined.refusal.is_some(), "{code}");
        let begun = refusal(on.begin_confirmation(&Caller::system(), staff.beginning(&examined.confirmation))).await;
        assert_eq!(begun, (Code::FailedPrecondition, "ILLEGAL_STEP"), "{code}");
    }
}

#[tokio::test]
async fn an_offer_that_a_person_wants_cancelled_is_not_confirmed() {
    let staff = Staff::open().await;
    let (on, account) = (&staff.world.operations, staff.register(1).await);
    let (offer, report) = staff.sent_offer(account.id, "of-1").await;
    let seen = staff.listed("1", CONFIRMS_OFFER).await.value;
    let (workspace_id, expected_version) = (staff.world.workspace_id, None);
    let cancel = CancelTradeOffer { workspace_id, trade_offer_id: offer.id, expected_version };
    on.cancel_trade_offer(&Caller::system(), cancel).await.unwrap();
    let examined = staff.examined(&seen, report).await;
    assert_eq!(failed(&examined.confirmation.value), [CheckCode::Intent]);
    assert_eq!(examined.refusal, Some(Consequence::CancelOffer));
}
