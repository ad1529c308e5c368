//! Where the desks of the sample data trade, and by whom: what is on record of marketplaces and trading accounts, and what was last seen
//! of them.

use std::num::NonZeroU64;

use time::Duration;
use tradepost::domain::contracts::contract::BasisPoints;
use tradepost::domain::id::{AccountId, WorkspaceId};
use tradepost::domain::markets::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost::domain::markets::provider::{BreakerState, ProviderKind, ProviderReport};
use tradepost::domain::money::{Currency, VenueCents};
use tradepost::domain::text::{ExternalId, Marketplace};
use tradepost::domain::time::Timestamp;
use tradepost::domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost::domain::trading::trading_account::{AccountEvent, AccountHealth};
use tradepost::operations::markets::RecordProviderHealth;
use tradepost::operations::trading::{AdvanceAccount, RecordAccountHealth};
use tradepost::operations::{Caller, Operations};

use super::{refused, sure};
use crate::failure::Outcome;
use crate::sample_records;

pub(super) const MARKETPLACES: [&str; 2] = ["simulator", "simulator-two"];
pub(super) const ACCOUNTS: [&str; 3] = ["trader-1", "trader-2", "trader-3"];
/// Fees for buyers and sellers, in basis points: those of the stories.
const FEES: (u16, u16) = (250, 500);
/// The platform's number of the first account.
const FIRST: u64 = 76_561_198_000_000_001;
/// How long before the sample data ends the accounts have had their authenticators.
const AUTHENTICATED: Duration = Duration::days(200);

/// Puts on record where a desk trades, and by whom.
pub(super) async fn introduce(operations: &Operations, workspace_id: WorkspaceId) -> Outcome<Vec<AccountId>> {
    for name in MARKETPLACES {
        let kind = ProviderKind::Marketplace;
        sample_records::provider(operations, workspace_id, kind, name, Currency::USD).await.map_err(refused)?;
    }
    let mut accounts = Vec::new();
    for (name, number) in ACCOUNTS.into_iter().zip(FIRST..) {
        let number = NonZeroU64::new(number).unwrap_or(NonZeroU64::MIN);
        let address = TradeAddress { user: PlatformUserId::new(number), token: sure(ExternalId::new(name))? };
        accounts.push(sample_records::account(operations, workspace_id, name, &address).await.map_err(refused)?);
    }
    Ok(accounts)
}

/// Reports all of them as healthy.
pub(super) async fn look_after(
    operations: &Operations,
    workspace_id: WorkspaceId,
    accounts: &[AccountId],
    now: Timestamp,
) -> Outcome {
    let system = Caller::system();
    for name in MARKETPLACES {
        let (kind, name) = (ProviderKind::Marketplace, sure(Marketplace::new(name))?);
        let command = RecordProviderHealth { workspace_id, kind, name, report: report(now)? };
        operations.record_provider_health(&system, command).await.map_err(refused)?;
    }
    for account_id in accounts.iter().copied() {
        let command = RecordAccountHealth { workspace_id, account_id, health: health(now) };
        operations.record_account_health(&system, command).await.map_err(refused)?;
        for event in [AccountEvent::SigningIn, AccountEvent::SignedIn] {
            let command = AdvanceAccount { workspace_id, account_id, event, reason: None };
            operations.advance_account(&system, command).await.map_err(refused)?;
        }
    }
    Ok(())
}

fn report(now: Timestamp) -> Outcome<ProviderReport> {
    let rate = |share| -> Outcome<FeeRate> {
        Ok(FeeRate {
            share: sure(BasisPoints::new(share))?,
            minimum: sure(VenueCents::new(0))?,
            rounding: Rounding::Floor,
        })
    };
    Ok(ProviderReport {
        seen_at: now,
        last_success_at: Some(now),
        latency_millis: Some(40),
        error_rate: sure(BasisPoints::new(0))?,
        remaining: None,
        breaker: BreakerState::Closed,
        fees: Some(FeeSchedule { buying: rate(FEES.0)?, selling: rate(FEES.1)?, overrides: Vec::new() }),
        balance: None,
        standing: None,
    })
}

fn health(now: Timestamp) -> AccountHealth {
    AccountHealth {
        seen_at: now,
        is_signed_in: true,
        authenticator_since: Some(now.plus(-AUTHENTICATED)),
        held_until: None,
        inventory_count: Some(60),
        is_api_key_ours: Some(true),
        balance: None,
    }
}
