//! The table of end-to-end cases: one row an operation. The tests in `operations`, `clients` and `tenancy` have no list of
//! their own; they walk this one, so that a row cannot be there without being exercised.

mod accounts;
mod alerts;
mod contracts;
mod events;
mod markets;
mod trading;

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_operations::Code;

use crate::descriptor;
use crate::harness::{Database, Key, Mould, Preparation, World};

/// One operation: the call that succeeds, and the calls that do not.
pub(crate) struct Case {
    pub(crate) method: &'static str,
    /// Whose key succeeds.
    pub(crate) by: Key,
    request: fn(&World) -> Value,
    prepare: Preparation,
    /// The fields without which the request is refused.
    pub(crate) required: &'static [&'static str],
    pub(crate) refusals: Vec<Refusal>,
}

/// A call that is refused: the one that succeeds, by another key or with other fields.
#[derive(Clone, Copy)]
pub(crate) struct Refusal {
    pub(crate) by: Key,
    pub(crate) change: fn(&World) -> Value,
    pub(crate) code: Code,
    pub(crate) reason: &'static str,
}

/// Every row.
pub(crate) fn all() -> Vec<Case> {
    [
        accounts::account_links::cases(),
        accounts::overview::cases(),
        accounts::audit::cases(),
        accounts::keys::cases(),
        accounts::members::cases(),
        accounts::credentials::cases(),
        accounts::sessions::cases(),
        accounts::usage::cases(),
        accounts::users::cases(),
        accounts::workspace_keys::cases(),
        accounts::workspaces::cases(),
        contracts::reads::cases(),
        contracts::contract_lives::cases(),
        contracts::endings::cases(),
        contracts::evaluations::cases(),
        contracts::filter_sets::cases(),
        contracts::intents::cases(),
        contracts::pools::cases(),
        contracts::remediations::cases(),
        contracts::profit_and_loss::cases(),
        markets::observations::cases(),
        markets::prices::cases(),
        contracts::transitions::cases(),
        // The last, so that what they register is in no answer of the others.
        trading::trading_accounts::cases(),
        trading::account_groups::cases(),
        contracts::assignments::cases(),
        markets::providers::cases(),
        trading::trade_offers::cases(),
        trading::imports::cases(),
        trading::friends::cases(),
        trading::chats::cases(),
        trading::confirmations::cases(),
        alerts::cases(),
        events::webhooks::cases(),
        trading::inventories::cases(),
        trading::sessions::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The row of an operation.
pub(crate) fn named(method: &str) -> Case {
    all().into_iter().find(|case| case.method == method).unwrap_or_else(|| panic!("no case for {method}"))
}

fn case(method: &'static str, request: fn(&World) -> Value) -> Case {
    let prepare: Preparation = |_| async { json!({}) }.boxed();
    Case { method, by: Key::Full, request, prepare, required: &[], refusals: Vec::new() }
}

impl Case {
    fn by(self, by: Key) -> Self {
        Self { by, ..self }
    }

    fn prepared(self, prepare: Preparation) -> Self {
        Self { prepare, ..self }
    }

    fn requires(self, required: &'static [&'static str]) -> Self {
        Self { required, ..self }
    }

    fn refuses(mut self, by: Key, change: fn(&World) -> Value, code: Code, reason: &'static str) -> Self {
        self.refusals.push(Refusal { by, change, code, reason });
        self
    }

    /// Refused for want of a right.
    fn denies(self, by: Key) -> Self {
        self.refuses(by, |_| json!({}), Code::PermissionDenied, "PERMISSION_DENIED")
    }

    /// Refused to the key that otherwise succeeds.
    fn denied(self, change: fn(&World) -> Value, reason: &'static str) -> Self {
        let by = self.by;
        self.refuses(by, change, Code::PermissionDenied, reason)
    }

    fn not_found(self, change: fn(&World) -> Value) -> Self {
        let by = self.by;
        self.refuses(by, change, Code::NotFound, "NOT_FOUND")
    }

    fn fails(self, change: fn(&World) -> Value, reason: &'static str) -> Self {
        let by = self.by;
        self.refuses(by, change, Code::FailedPrecondition, reason)
    }

    /// Refused as long as the second factor was not shown.
    fn needs_step_up(self) -> Self {
        self.refuses(Key::Unproven, |_| json!({}), Code::FailedPrecondition, "STEP_UP_REQUIRED")
    }

    fn exists(self, change: fn(&World) -> Value, reason: &'static str) -> Self {
        let by = self.by;
        self.refuses(by, change, Code::AlreadyExists, reason)
    }

    fn invalid(self, change: fn(&World) -> Value, reason: &'static str) -> Self {
        let by = self.by;
        self.refuses(by, change, Code::InvalidArgument, reason)
    }

    /// The request that succeeds with a second factor and never without one, once what it needs was done.
    pub(crate) async fn ready_for_step_up(&self, world: &World) -> Value {
        let refused = self.refusals.iter().find(|refusal| refusal.reason == "STEP_UP_REQUIRED");
        let refused = refused.unwrap_or_else(|| panic!("{} has no case without a second factor", self.method));
        merged(self.ready(world).await, &(refused.change)(world))
    }

    /// The request that succeeds, once what it needs was done.
    pub(crate) async fn ready(&self, world: &World) -> Value {
        merged((self.request)(world), &(self.prepare)(world).await)
    }
}

/// Worlds for all cases: the reads share one, and each of the others gets a fresh one.
pub(crate) struct Worlds {
    mould: Mould,
    of_reads: World,
}

impl Worlds {
    pub(crate) async fn on(database: Database) -> Self {
        let mould = Mould::of(database).await;
        Self { of_reads: mould.cast().await, mould }
    }

    /// Calls `test` with the world in which the case is to succeed.
    pub(crate) async fn enter(&self, case: &Case, test: impl AsyncFnOnce(&World)) {
        if descriptor::is_read(case.method) {
            test(&self.of_reads).await;
        } else {
            let world = self.mould.cast().await;
            test(&world).await;
            world.end().await;
        }
    }

    /// Ends the server of the reads.
    pub(crate) async fn end(self) {
        self.of_reads.end().await;
    }
}

/// A request with some of its fields changed.
pub(crate) fn merged(mut request: Value, change: &Value) -> Value {
    for (field, value) in change.as_object().expect("a change is an object") {
        request[field] = value.clone();
    }
    request
}
