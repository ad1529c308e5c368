//! Promises about lists, the same for every resource: all pages together are the list, even if other records are written in between.

use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::contracts::assignment::Assignee;
use tradepost_domain::contracts::intent::IntentStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::RemediationStatus;
use tradepost_domain::id::{
    Id, OfAccount, OfAccountSession, OfAssignment, OfConfirmation, OfContract, OfConversation, OfFilterSet, OfFriend,
    OfImport, OfIntent, OfInventoryChange, OfInventoryItem, OfMembership, OfPool, OfProvider, OfPurchase,
    OfRemediation, OfRenewal, OfSnapshot, OfTradeOffer, OfWebhookEndpoint,
};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::trading::account_session::SessionStatus;
use tradepost_domain::trading::confirmation::ConfirmationStatus;
use tradepost_domain::trading::friend::FriendRelation;
use tradepost_domain::trading::import::ImportStatus;
use tradepost_domain::trading::renewal::RenewalStatus;
use tradepost_domain::trading::snapshot::{ChangeKind, SnapshotStatus};
use tradepost_domain::trading::trade_offer::{OfferOwner, TradeOfferStatus};
use tradepost_ports::record::AnyRecord;
use tradepost_ports::store::{
    AccountFilter, AccountSessionFilter, AssignmentFilter, ConfirmationFilter, ContractFilter, ConversationFilter,
    FriendFilter, IntentFilter, InventoryChangeFilter, ItemFilter, Page, PageRequest, PurchaseFilter,
    RemediationFilter, RenewalFilter, SnapshotFilter, Store, StoreResult, TradeOfferFilter,
};

use super::system;
use crate::samples::Scene;

/// A list of records of a workspace.
trait Paged {
    /// The marker of the ids.
    type Kind: Copy + std::fmt::Debug + PartialEq;

    /// Returns a new record for the list, after the records that it needs.
    fn make(scene: &Scene) -> Vec<AnyRecord>;

    /// Returns a page of all of them.
    async fn page(
        store: &dyn Store,
        scope: WorkspaceScope,
        request: PageRequest<Self::Kind>,
    ) -> StoreResult<Page<Self::Kind>>;
}

macro_rules! paged {
    ($($module:ident: $kind:ident, |$scene:ident| $make:expr, |$store:ident, $scope:ident, $page:ident| $list:expr;)+) => {$(
        #[doc = concat!("Promises about pages of ", stringify!($module), ".")]
        pub mod $module {
            use super::*;

            struct Pages;

            impl Paged for Pages {
                type Kind = $kind;

                fn make($scene: &Scene) -> Vec<AnyRecord> {
                    $make
                }

                async fn page(
                    $store: &dyn Store,
                    $scope: WorkspaceScope,
                    $page: PageRequest<$kind>,
                ) -> StoreResult<Page<$kind>> {
                    $list.await
                }
            }

            pub async fn an_empty_list_is_one_empty_page(store: &dyn Store) {
                super::an_empty_list_is_one_empty_page::<Pages>(store).await;
            }

            pub async fn every_record_is_on_exactly_one_page(store: &dyn Store) {
                super::every_record_is_on_exactly_one_page::<Pages>(store).await;
            }

            pub async fn what_is_made_while_paging_disturbs_nothing(store: &dyn Store) {
                super::what_is_made_while_paging_disturbs_nothing::<Pages>(store).await;
            }

            pub async fn a_page_starts_where_no_record_is(store: &dyn Store) {
                super::a_page_starts_where_no_record_is::<Pages>(store).await;
            }
        }
    )+};
}

paged! {
    paged_memberships: OfMembership,
        |scene| vec![scene.samples.invitation(scene.id(), &scene.samples.email()).into()],
        |store, scope, page| store.memberships().list(scope, None, page);
    paged_contracts: OfContract,
        |scene| vec![scene.samples.contract(scene.id()).into()],
        |store, scope, page| store.contracts().list(scope, ContractFilter::default(), page);
    paged_filter_sets: OfFilterSet,
        |scene| vec![scene.samples.filter_set(scene.id()).into()],
        |store, scope, page| store.filter_sets().list(scope, page);
    paged_intents: OfIntent,
        |scene| vec![scene.samples.intent(scene.id(), scene.contract.id, IntentStatus::Proposed).into()],
        |store, scope, page| store.intents().list(scope, IntentFilter::default(), page);
    paged_pools: OfPool,
        |scene| vec![scene.samples.pool(scene.id()).into()],
        |store, scope, page| store.pools().list(scope, None, page);
    paged_accounts: OfAccount,
        |scene| vec![scene.samples.new_account(scene.id()).into()],
        |store, scope, page| store.trading_accounts().list(scope, AccountFilter::default(), page);
    paged_assignments: OfAssignment,
        |scene| {
            let (pool, account) = (scene.samples.id(), Assignee::Account(scene.samples.id()));
            vec![scene.samples.assignment(scene.id(), pool, account).into()]
        },
        |store, scope, page| store.assignments().list(scope, AssignmentFilter::default(), page);
    paged_providers: OfProvider,
        |scene| vec![scene.samples.provider(scene.id(), ProviderKind::Marketplace).into()],
        |store, scope, page| store.providers().list(scope, None, page);
    paged_purchases: OfPurchase,
        |scene| vec![scene.new_purchase(PurchaseStatus::Pending).into()],
        |store, scope, page| store.purchases().list(scope, PurchaseFilter::default(), page);
    paged_remediations: OfRemediation,
        |scene| vec![scene.samples.remediation_in(scene.id(), RemediationStatus::Open).into()],
        |store, scope, page| store.remediations().list(scope, RemediationFilter::default(), page);
    paged_friends: OfFriend,
        |scene| vec![scene.samples.friend(scene.id(), scene.samples.id(), FriendRelation::Friend).into()],
        |store, scope, page| store.friends().list(scope, FriendFilter::default(), page);
    paged_conversations: OfConversation,
        |scene| vec![scene.samples.conversation(scene.id(), scene.samples.id()).into()],
        |store, scope, page| store.chats().list(scope, ConversationFilter::default(), page);
    paged_confirmations: OfConfirmation,
        |scene| vec![scene.samples.confirmation_in(scene.id(), ConfirmationStatus::Seen).into()],
        |store, scope, page| store.confirmations().list(scope, ConfirmationFilter::default(), page);
    paged_account_sessions: OfAccountSession,
        |scene| vec![scene.samples.account_session_in(scene.id(), SessionStatus::Active).into()],
        |store, scope, page| {
            store.account_sessions().list_account_sessions(scope, AccountSessionFilter::default(), page)
        };
    paged_renewals: OfRenewal,
        |scene| vec![scene.samples.renewal_in(scene.id(), RenewalStatus::Scheduled).into()],
        |store, scope, page| store.renewals().list_renewals(scope, RenewalFilter::default(), page);
    paged_webhook_endpoints: OfWebhookEndpoint,
        |scene| vec![scene.samples.webhook_endpoint(scene.id()).into()],
        |store, scope, page| store.webhooks().list_endpoints(scope, None, page);
    paged_trade_offers: OfTradeOffer,
        |scene| {
            let owner = OfferOwner::Purchase(scene.samples.id());
            vec![scene.samples.trade_offer_in(scene.id(), TradeOfferStatus::Active, owner).into()]
        },
        |store, scope, page| store.trade_offers().list(scope, TradeOfferFilter::default(), page);
    paged_snapshots: OfSnapshot,
        |scene| vec![scene.samples.snapshot_in(scene.id(), SnapshotStatus::Complete).into()],
        |store, scope, page| store.snapshots().list_snapshots(scope, SnapshotFilter::default(), page);
    paged_inventory_changes: OfInventoryChange,
        |scene| vec![scene.samples.inventory_change(scene.id(), ChangeKind::Appeared).into()],
        |store, scope, page| {
            store.inventory_changes().list_inventory_changes(scope, InventoryChangeFilter::default(), page)
        };
    paged_imports: OfImport,
        |scene| vec![scene.samples.import(scene.id(), ImportStatus::Checked).into()],
        |store, scope, page| store.imports().list_imports(scope, None, page);
    paged_items: OfInventoryItem,
        |scene| {
            let purchase = scene.new_purchase(PurchaseStatus::Traded);
            let (item, _) = scene.samples.item(&purchase);
            vec![purchase.into(), item.into()]
        },
        |store, scope, page| store.items().list(scope, ItemFilter::default(), page);
}

async fn an_empty_list_is_one_empty_page<P: Paged>(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    make::<P>(store, &scene).await;
    let nowhere = Principal::System.enter(scene.samples.id(), PolicySet::EVERY).unwrap();
    let page = P::page(store, nowhere, PageRequest { before: None, limit: 5 }).await.unwrap();
    assert_eq!(page, Page::of(vec![], 5));
}

async fn every_record_is_on_exactly_one_page<P: Paged>(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    for _ in 0..6 {
        make::<P>(store, &home).await;
        make::<P>(store, &abroad).await;
    }
    let all = pages::<P>(store, &home, None, 100).await.concat();
    assert!(all.is_sorted_by(|newer, older| newer > older), "newest first, none twice");
    assert!(all.len() >= 6);
    let length = u32::try_from(all.len()).unwrap();
    // One at a time, a part page at the end, an exact multiple, exactly all, more than all.
    for limit in [1, length - 1, length / 2, length, length + 1] {
        let pages = pages::<P>(store, &home, None, limit).await;
        assert_eq!(pages.concat(), all, "limit {limit}");
        assert_eq!(pages.len(), all.len().div_ceil(limit as usize), "limit {limit}");
    }
}

async fn what_is_made_while_paging_disturbs_nothing<P: Paged>(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for _ in 0..5 {
        make::<P>(store, &scene).await;
    }
    let all = pages::<P>(store, &scene, None, 100).await.concat();
    let first = P::page(store, scene.scope(), PageRequest { before: None, limit: 2 }).await.unwrap();
    let new = make::<P>(store, &scene).await;
    let rest = pages::<P>(store, &scene, first.ids.last().copied(), 2).await.concat();
    assert_eq!([first.ids, rest].concat(), all);
    let again = pages::<P>(store, &scene, None, 100).await.concat();
    assert_eq!(again.first(), Some(&new));
}

async fn a_page_starts_where_no_record_is<P: Paged>(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    make::<P>(store, &scene).await;
    let older = pages::<P>(store, &scene, None, 100).await.concat();
    let between: Id<P::Kind> = scene.samples.id();
    make::<P>(store, &scene).await;
    assert_eq!(pages::<P>(store, &scene, Some(between), 100).await.concat(), older);
    assert_eq!(pages::<P>(store, &scene, Some(Id::from_bytes([0; 16])), 5).await.concat(), []);
}

/// Writes a new record and returns its id.
async fn make<P: Paged>(store: &dyn Store, scene: &Scene) -> Id<P::Kind> {
    let mut changes = system();
    let mut id = Id::from_bytes([0; 16]);
    for record in P::make(scene) {
        id = Id::from_bytes(record.address().key);
        changes.insert(record);
    }
    store.commit(changes).await.unwrap();
    id
}

/// Returns all pages from a place on.
async fn pages<P: Paged>(
    store: &dyn Store,
    scene: &Scene,
    mut before: Option<Id<P::Kind>>,
    limit: u32,
) -> Vec<Vec<Id<P::Kind>>> {
    let mut pages = Vec::new();
    for _ in 0..1_000 {
        let page = P::page(store, scene.scope(), PageRequest { before, limit }).await.unwrap();
        before = page.ids.last().copied();
        pages.push(page.ids);
        if !page.more {
            return pages;
        }
    }
    panic!("a thousand pages, and still more");
}

/// The common promises of every list of a workspace's records.
#[doc(hidden)]
#[macro_export]
macro_rules! paging_promises {
    ($fixture:expr; $($list:ident),+) => {
        $crate::store_promises! { $fixture; $($list:
            an_empty_list_is_one_empty_page,
            every_record_is_on_exactly_one_page,
            what_is_made_while_paging_disturbs_nothing,
            a_page_starts_where_no_record_is;
        )+ }
    };
}
