//! [`CreatePool`]: makes a pool, which has no money until some is put in.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::pool::{Pool, PoolLimits};
use tradepost_domain::id::{RecordKey, WorkspaceId};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};

use crate::commit::Step;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// The limits of a pool. A limit that is `None` does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitsOfPool {
    /// The most capital that may be put in, in cents, more than 0.
    pub budget_cents: i64,
    /// The most that one purchase may cost, in cents, more than 0 and at most the budget.
    pub max_per_purchase_cents: Option<i64>,
    /// The most that may be at stake in items of one market name, in cents, more than 0.
    pub max_exposure_per_item_cents: Option<i64>,
    /// The most that purchases of one day may cost together, in cents, more than 0.
    pub daily_limit_cents: Option<i64>,
}

/// Makes a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatePool {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Name for people, 1 to 64 characters.
    pub name: String,
    /// The currency of its money, which is the workspace's: three capital letters, or empty.
    pub currency: String,
    /// The limits.
    pub limits: LimitsOfPool,
}

impl LimitsOfPool {
    /// Returns the limits, if they are consistent.
    pub(crate) fn check(&self) -> OpResult<PoolLimits> {
        let limits = PoolLimits {
            budget: fields::cents("limits.budgetCents", self.budget_cents)?,
            max_per_purchase: fields::optional(
                self.max_per_purchase_cents,
                fields::cents,
                "limits.maxPerPurchaseCents",
            )?,
            max_exposure_per_item: fields::optional(
                self.max_exposure_per_item_cents,
                fields::cents,
                "limits.maxExposurePerItemCents",
            )?,
            daily_limit: fields::optional(self.daily_limit_cents, fields::cents, "limits.dailyLimitCents")?,
        };
        limits.check().map_err(|error| OpError::invalid_field("limits", format_args!("are refused: {error}")))?;
        Ok(limits)
    }
}

impl Operations {
    /// Creates an active pool that has no money yet.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `failed_precondition` with `OTHER_CURRENCY`.
    pub async fn create_pool(&self, caller: &Caller, command: CreatePool) -> OpResult<Versioned<Pool>> {
        let scope = rules::CREATE_POOL.enter(&caller.principal, command.workspace_id)?;
        let name = fields::text("name", &command.name)?;
        let given = fields::currency("currency", &command.currency)?;
        let (limits, at) = (command.limits.check()?, self.market_now(command.workspace_id));
        let workspace =
            self.ports.store.workspaces().find(scope).await?.ok_or_else(|| OpError::not_found("workspace"))?;
        let currency = workspace.peek().currency_of_money(given)?;
        let key = RecordKey { workspace_id: scope.workspace_id(), id: self.mint() };
        let pool = Pool::open(key, name, currency, limits, at);
        let pool = pool.map_err(|error| OpError::invalid_field("limits", error))?;
        let step = Step {
            subject: Subject::Pool(pool.id),
            from: None,
            to: pool.status.as_str(),
            version: 1,
            trigger: "created",
        };
        let mut changes = Changes::by(caller);
        changes.insert(pool.clone());
        changes.append(AppendedRow::Transition(self.transition(caller, scope.workspace_id(), step, at)));
        changes.audit(AuditKind::PoolCreated, &pool);
        self.commit(caller, changes).await?;
        Ok(Versioned::new(pool))
    }
}
