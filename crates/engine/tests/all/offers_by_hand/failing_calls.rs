//! Requests of people at a platform that fails one kind of calls alone.

use std::sync::{Arc, Mutex};
use std::time::Duration as Std;

use async_trait::async_trait;
use time::Duration;
use tradepost_adapters_simulator::{
    Answer, PlatformCall, Request, SimulatedPlatform, Simulator, WorldTransport, WorldTransportError,
};
use tradepost_domain::trading::trade_offer::TradeOfferStatus;
use tradepost_engine::Engine;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::PlatformRefusal;

use super::Partners;
use crate::desk::CUSTOMER;

type Which = fn(&PlatformCall) -> bool;

const SENDS: Which = |call| matches!(call, PlatformCall::Send { .. });
const LISTS_CONFIRMATIONS: Which = |call| matches!(call, PlatformCall::Confirmations);

const READS_HOLDS: Which = |call| matches!(call, PlatformCall::HoldWith { .. });

/// The way to the game platform, on which these calls fail.
#[derive(Clone)]
struct FailingLine {
    simulator: Simulator,
    of: Which,
    error: ExternalError<PlatformRefusal>,
    asked: Arc<Mutex<Vec<PlatformCall>>>,
}

impl FailingLine {
    fn of(partners: &Partners, of: Which, error: ExternalError<PlatformRefusal>) -> Self {
        Self { simulator: partners.desk.simulator.clone(), of, error, asked: Arc::default() }
    }

    fn engine(&self, partners: &Partners) -> Engine {
        let market = Arc::new(self.simulator.marketplace(CUSTOMER));
        partners.desk.engaged_over("node-1", (market, Arc::new(SimulatedPlatform::new(self.clone()))))
    }

    /// What the platform was asked since the last time.
    fn take(&self) -> Vec<PlatformCall> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

#[async_trait]
impl WorldTransport for FailingLine {
    async fn ask(&self, request: Request) -> Result<Answer, WorldTransportError> {
        if let Request::Platform { call, .. } = &request {
            self.asked.lock().unwrap().push(call.clone());
            if (self.of)(call) {
                return Ok(Answer::PlatformFailed(self.error.clone()));
            }
        }
        self.simulator.ask(request).await
    }
}

#[tokio::test]
async fn an_offer_whose_confirmation_cannot_be_read_is_cancelled_after_ten_minutes() {
    let partners = Partners::meet(717).await;
    let line = FailingLine::of(&partners, LISTS_CONFIRMATIONS, ExternalError::Unknown("no answer".to_owned()));
    let mut engine = line.engine(&partners);
    let id = partners.ask(&[&partners.ours], &[]).await;
    partners.live(&mut engine, 15).await;
    let (sent, record) = (partners.sent().await, partners.record(id).await);
    assert_eq!((sent.len(), record.status, record.request), (1, TradeOfferStatus::Cancelled, None));
}

#[tokio::test]
async fn an_offer_whose_hold_cannot_be_read_waits_unless_a_hold_was_accepted() {
    let partners = Partners::meet(721).await;
    let line = FailingLine::of(&partners, READS_HOLDS, ExternalError::Unknown("no answer".to_owned()));
    let mut engine = line.engine(&partners);
    let id = partners.ask(&[&partners.ours], &[]).await;
    partners.live(&mut engine, 5).await;
    let begun = partners.record(id).await.request.map(|request| request.begun_at);
    assert_eq!((partners.sent().await.len(), begun), (0, Some(None)));
    partners.ask_for(&[], &[&partners.theirs], true).await;
    partners.live(&mut engine, 5).await;
    assert_eq!(partners.sent().await.len(), 1, "what is accepted is not read");
}

#[tokio::test]
async fn a_limit_of_what_is_sent_stops_no_read() {
    let partners = Partners::meet(718).await;
    let limited = ExternalError::RateLimited { retry_after: Std::from_mins(5), effect: Effect::Nothing };
    let line = FailingLine::of(&partners, SENDS, limited);
    let mut engine = line.engine(&partners);
    partners.live(&mut engine, 2).await;
    partners.ask(&[&partners.ours], &[]).await;
    engine.pass().await;
    assert_eq!(line.take().into_iter().filter(SENDS).count(), 1);
    partners.desk.simulator.advance(Duration::MINUTE);
    engine.pass().await;
    let asked = line.take();
    assert!(asked.contains(&PlatformCall::Account) && !asked.iter().any(SENDS), "{asked:?}");
}
