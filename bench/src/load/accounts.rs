//! The records in addition to the bulk: contracts, and the users and keys that the account counters must not notice. They are written
//! through the port, which keeps their counters.

use futures::{StreamExt as _, TryStreamExt as _};
use tradepost_adapters_sql::SqlStore;
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::api_key::{ApiKey, TokenDigest};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::accounts::preferences::Preferences;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::contracts::contract::{
    ApprovalMode, BuyingTerms, Contract, ContractParts, ContractStatus, Counters, Terms,
};
use tradepost_domain::id::{Id, MembershipId, UserId, WorkspaceId};
use tradepost_domain::money::{Cents, Currency};
use tradepost_domain::network::Networks;
use tradepost_domain::text::{Marketplace, Name};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;
use uuid::Uuid;

use crate::data::{self, Of, Sizes, Totals};
use crate::server::OWNER_EMAIL;

/// Concurrent commits, so that a flush serves many.
const AT_ONCE: usize = 64;

/// The workspace that the product founded, with its owner.
pub(crate) struct Founded {
    pub(crate) workspace: WorkspaceId,
    pub(crate) owner: UserId,
    pub(crate) membership: MembershipId,
}

impl Founded {
    pub(crate) async fn find(store: &SqlStore) -> anyhow::Result<Self> {
        let owner = store.users().find_by_email(&EmailAddress::new(OWNER_EMAIL)?).await?;
        let owner = owner.map(|owner| owner.into_display().0.id).ok_or_else(|| anyhow::anyhow!("there is no owner"))?;
        let memberships = store.memberships().list_own(owner).await?;
        let membership = memberships.into_iter().next().ok_or_else(|| anyhow::anyhow!("the owner has no workspace"))?;
        let membership = membership.into_display().0;
        Ok(Self { workspace: membership.workspace_id, owner, membership: membership.id })
    }

    /// The process itself enters the workspace.
    pub(crate) fn scope(&self) -> anyhow::Result<WorkspaceScope> {
        Ok(Principal::System.enter(self.workspace, PolicySet::NONE)?)
    }
}

/// Gives the workspace.
pub(super) async fn fill(store: &SqlStore, sizes: Sizes) -> anyhow::Result<Uuid> {
    let founded = Founded::find(store).await?;
    let totals = data::totals(sizes);
    let contracts = (0..data::CONTRACTS).zip(&totals).map(|(number, totals)| contract(&founded, number, *totals));
    let strangers = (0..sizes.strangers).map(stranger);
    let keys = (0..sizes.strangers).map(|number| expired_key(&founded, number));
    let changes: Vec<Changes> = contracts.chain(strangers).chain(keys).collect::<anyhow::Result<_>>()?;
    futures::stream::iter(changes)
        .map(|changes| store.commit(changes))
        .buffer_unordered(AT_ONCE)
        .try_for_each(|_| async { Ok(()) })
        .await?;
    Ok(Uuid::from_bytes(founded.workspace.to_bytes()))
}

fn id<K>(of: Of, number: u32) -> Id<K> {
    Id::from_bytes(data::id(of, number).into_bytes())
}

fn made_at(number: u32) -> anyhow::Result<Timestamp> {
    Ok(Timestamp::from_micros(data::made_at(number))?)
}

fn contract(founded: &Founded, number: u32, totals: Totals) -> anyhow::Result<Changes> {
    let at = made_at(number)?;
    let contract = Contract::restore(ContractParts {
        id: id(Of::Contract, number),
        workspace_id: founded.workspace,
        name: Name::new(&format!("Contract {number}"))?,
        terms: Terms::Buying(limits()?),
        status: ContractStatus::Active,
        status_reason: None,
        closing_reason: None,
        filter_set_id: None,
        pool_id: None,
        approval_mode: ApprovalMode::Automatic,
        marketplaces: vec![Marketplace::new("csfloat")?],
        price_reference: None,
        starts_at: None,
        ends_at: None,
        counters: Counters {
            filled_quantity: totals.filled,
            open_quantity: totals.open,
            spent: Cents::new(totals.spent_cents)?,
            reserved: Cents::new(totals.reserved_cents)?,
        },
        created_at: at,
        updated_at: at,
    })?;
    let mut changes = Changes::by(&Caller::system());
    changes.insert(contract);
    Ok(changes)
}

/// Limits that no number of purchases reaches.
fn limits() -> anyhow::Result<BuyingTerms> {
    Ok(BuyingTerms {
        target_quantity: 100_000_000,
        max_buy_price: Cents::new(10_000)?,
        budget: Cents::new(1_000_000_000_000)?,
        daily_budget: None,
        max_daily_loss: None,
        min_discount: None,
        min_expected_margin: None,
        max_per_item_name: None,
        max_open_purchases: None,
        cooldown_seconds: None,
        max_trade_lock_days: None,
        min_liquidity_score: None,
        min_seller_success: None,
    })
}

/// A user with a workspace of their own.
fn stranger(number: u32) -> anyhow::Result<Changes> {
    let at = made_at(number)?;
    let user = User {
        id: id(Of::User, number),
        display_name: Name::new(&format!("User {number}"))?,
        preferences: Preferences::default(),
        email: Some(EmailAddress::new(&format!("user-{number}@example.com"))?),
        password: None,
        email_changed_at: None,
        disabled: false,
        created_at: at,
        updated_at: at,
    };
    let name = Name::new(&format!("Workspace {number}"))?;
    let workspace = Workspace::found(id(Of::Workspace, number), name, Currency::USD, at);
    let membership = Membership::found(id(Of::Membership, number), workspace.id, user.id, at);
    let mut changes = Changes::by(&Caller::system());
    changes.insert(user).insert(workspace).insert(membership);
    Ok(changes)
}

/// A key of the owner that has ended.
fn expired_key(founded: &Founded, number: u32) -> anyhow::Result<Changes> {
    let at = made_at(number)?;
    let mut digest = [0; 32];
    for (position, part) in (0_u64..).zip(digest.chunks_exact_mut(8)) {
        part.copy_from_slice(&data::mix(u64::from(number) << 8 | position).to_be_bytes());
    }
    let key = ApiKey {
        id: id(Of::Key, number),
        workspace_id: founded.workspace,
        owner_id: founded.owner,
        membership_id: founded.membership,
        name: Name::new(&format!("Key {number}"))?,
        prefix: format!("tpk_{number:08}"),
        digest: TokenDigest(digest),
        pepper: None,
        policies: PolicySet::of(&[Policy::Analytics]),
        networks: Networks::default(),
        expires_at: Some(made_at(number + 3_600_000)?),
        remind_at: None,
        revoked_at: None,
        created_at: at,
    };
    let mut changes = Changes::by(&Caller::system());
    changes.insert(key);
    Ok(changes)
}
