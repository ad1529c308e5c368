//! Who may operate trading accounts.

use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::trading::import::{ImportFormat, ImportKind};
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::{OfferDraft, OfferOwner};
use tradepost_domain::trading::trading_account::{AccountEvent, AccountReading};
use tradepost_operations::rules::RULES;
use tradepost_operations::trading::{
    AcceptTradeOffer, AccountOnRecord, AccountsToRefresh, AcknowledgeTradeProtection, AddAccountsToGroup,
    AdvanceAccount, ApplyImport, AssetToTrade, BeginOfferRequest, BeginTokenRenewal, BulkAccounts, BulkAction,
    CancelImport, CancelTradeOffer, CountAccounts, CountImports, CountTradeOffers, CreateAccount, CreateAccountGroup,
    CreateImport, DeclineTradeOffer, DefaultsOfImport, DeleteAccountGroup, DisableAccount, DisableGiving,
    DraftTradeOffer, EnableAccount, EnableGiving, FailOfferRequest, FindUnsentTradeOffer, GetAccount, GetAccountGroup,
    GetAccountGroups, GetAccountLoginCode, GetAccountReadiness, GetAccounts, GetImport, GetImports, GetTrade,
    GetTradeOffer, GetTradeOffers, ListAccountGroups, ListAccounts, ListImportRows, ListImports, ListTradeOffers,
    LoseTradeOffer, OfferReadings, PostponeOfferRequest, PostponeTokenRenewal, RecordAccountHealth, RecordAccountOffer,
    RecordAccountReading, RecordOfferReading, RecordTradeOffer, RefreshAccount, RefreshTradeOffers, RefreshTradeToken,
    RefuseAccountReading, RemoveAccount, RemoveAccountsFromGroup, RequestedTradeOffers, RevealRevocationCode,
    SendTradeOffer, UnownedTradeOffers, UpdateAccount, UpdateAccountGroup,
};
use tradepost_operations::{Caller, Code, OpError, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text};

use super::social_rights::{reads_of_friends, reports_of_chats, uses_of_chats, writes_of_friends};
use super::{Staff, confirmation_rights, inventory_rights, session_rights};

pub(super) type Refusals = Vec<(&'static str, Option<OpError>)>;

pub(super) fn of<T>(method: &'static str, answer: OpResult<T>) -> (&'static str, Option<OpError>) {
    (method, answer.err())
}

async fn reads(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, account_id, account_group_id) =
        (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let (limit, cursor) = (0, String::new());
    let accounts = ListAccounts { workspace_id, limit, cursor: cursor.clone(), status: None, account_group_id: None };
    let groups = ListAccountGroups { workspace_id, limit, cursor };
    let several = GetAccounts { workspace_id, account_ids: vec![account_id] };
    let several_groups = GetAccountGroups { workspace_id, account_group_ids: vec![account_group_id] };
    let readiness = GetAccountReadiness { workspace_id, account_id };
    let group = GetAccountGroup { workspace_id, account_group_id };
    vec![
        of("ListAccounts", on.list_accounts(caller, accounts).await),
        of("GetAccount", on.get_account(caller, GetAccount { workspace_id, account_id }).await),
        of("GetAccounts", on.get_accounts(caller, several).await),
        of("CountAccounts", on.count_accounts(caller, CountAccounts { workspace_id }).await),
        of("GetAccountReadiness", on.get_account_readiness(caller, readiness).await),
        of("ListAccountGroups", on.list_account_groups(caller, groups).await),
        of("GetAccountGroup", on.get_account_group(caller, group).await),
        of("GetAccountGroups", on.get_account_groups(caller, several_groups).await),
    ]
}

async fn reads_of_offers(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, trade_offer_id) = (&staff.world.operations, Id::from_bytes([9; 16]));
    let list = ListTradeOffers {
        workspace_id,
        limit: 0,
        cursor: String::new(),
        account_id: None,
        direction: None,
        status: None,
        purchase_id: None,
        inventory_item_id: None,
    };
    let several = GetTradeOffers { workspace_id, trade_offer_ids: vec![trade_offer_id] };
    let trade = GetTrade { workspace_id, trade_id: "trade-1".to_owned() };
    vec![
        of("ListTradeOffers", on.list_trade_offers(caller, list).await),
        of("GetTradeOffer", on.get_trade_offer(caller, GetTradeOffer { workspace_id, trade_offer_id }).await),
        of("GetTradeOffers", on.get_trade_offers(caller, several).await),
        of("CountTradeOffers", on.count_trade_offers(caller, CountTradeOffers { workspace_id }).await),
        of("GetTrade", on.get_trade(caller, trade).await),
    ]
}

async fn writes_of_offers(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, account_name) = (&staff.world.operations, text("trader-1"));
    let report = Samples::seeded(9).offer_report(OfferStatus::Active);
    let owner = OfferOwner::Item(Id::from_bytes([9; 16]));
    let draft = OfferDraft { partner: report.partner, gives: report.receives.clone(), owner };
    let record = RecordTradeOffer { workspace_id, account_name: text("trader-1"), report, owner: None };
    let draft = DraftTradeOffer { workspace_id, account_name, draft };
    let lose = LoseTradeOffer { workspace_id, trade_offer_id: Id::from_bytes([9; 16]) };
    vec![
        of("RecordTradeOffer", on.record_trade_offer(caller, record).await),
        of("DraftTradeOffer", on.draft_trade_offer(caller, draft).await),
        of("LoseTradeOffer", on.lose_trade_offer(caller, lose).await),
        of(
            "FindUnsentTradeOffer",
            on.find_unsent_trade_offer(caller, FindUnsentTradeOffer { workspace_id, owner }).await,
        ),
    ]
}

/// What people ask the engine to do about offers, and what the engine reports of it.
async fn requests_of_offers(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, trade_offer_id, account_id) = (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let (expected_version, account_name) = (Some(1), text("trader-1"));
    let send = SendTradeOffer {
        workspace_id,
        account_id,
        partner: "76561198000000009".to_owned(),
        token: "abcdefgh".to_owned(),
        gives: Vec::new(),
        receives: vec![AssetToTrade { app_id: None, context_id: None, asset_id: "600".to_owned() }],
        message: String::new(),
        intent_id: None,
        accept_hold: false,
    };
    let accept = AcceptTradeOffer { workspace_id, trade_offer_id, expected_version, accept_hold: false };
    let decline = DeclineTradeOffer { workspace_id, trade_offer_id, expected_version };
    let cancel = CancelTradeOffer { workspace_id, trade_offer_id, expected_version };
    let begin = BeginOfferRequest { workspace_id, trade_offer_id, expected_version: 1 };
    let postpone = PostponeOfferRequest { workspace_id, trade_offer_id };
    let why = "no answer".to_owned();
    let fail = FailOfferRequest { workspace_id, trade_offer_id, why, is_certain: true, strangeness: None };
    let report = Samples::seeded(9).offer_report(OfferStatus::Active);
    let (answers, watched_since) = (None, None);
    let record =
        RecordAccountOffer { workspace_id, account_name: account_name.clone(), report, answers, watched_since };
    let began_at = staff.world.clock.now();
    let read = RecordOfferReading { workspace_id, account_id, began_at };
    let readings = OfferReadings { workspace_id, account_ids: vec![account_id] };
    vec![
        of("SendTradeOffer", on.send_trade_offer(caller, send).await),
        of("AcceptTradeOffer", on.accept_trade_offer(caller, accept).await),
        of("DeclineTradeOffer", on.decline_trade_offer(caller, decline).await),
        of("CancelTradeOffer", on.cancel_trade_offer(caller, cancel).await),
        of(
            "RefreshTradeOffers",
            on.refresh_trade_offers(caller, RefreshTradeOffers { workspace_id, account_id }).await,
        ),
        of("RequestedTradeOffers", on.requested_trade_offers(caller, RequestedTradeOffers { workspace_id }).await),
        of("BeginOfferRequest", on.begin_offer_request(caller, begin).await),
        of("PostponeOfferRequest", on.postpone_offer_request(caller, postpone).await),
        of("FailOfferRequest", on.fail_offer_request(caller, fail).await),
        of("RecordAccountOffer", on.record_account_offer(caller, record).await),
        of(
            "UnownedTradeOffers",
            on.unowned_trade_offers(caller, UnownedTradeOffers { workspace_id, account_name }).await,
        ),
        of("OfferReadings", on.offer_readings(caller, readings).await),
        of("RecordOfferReading", on.record_offer_reading(caller, read).await),
    ]
}

async fn reads_of_imports(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, import_id, cursor) = (&staff.world.operations, Id::from_bytes([9; 16]), String::new());
    let list = ListImports { workspace_id, limit: 0, cursor: cursor.clone(), status: None };
    let several = GetImports { workspace_id, import_ids: vec![import_id] };
    let rows = ListImportRows { workspace_id, import_id, limit: 0, cursor, outcome: None };
    vec![
        of("ListImports", on.list_imports(caller, list).await),
        of("GetImport", on.get_import(caller, GetImport { workspace_id, import_id }).await),
        of("GetImports", on.get_imports(caller, several).await),
        of("CountImports", on.count_imports(caller, CountImports { workspace_id }).await),
        of("ListImportRows", on.list_import_rows(caller, rows).await),
    ]
}

async fn writes_of_imports(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, import_id) = (&staff.world.operations, Id::from_bytes([9; 16]));
    let create = CreateImport {
        workspace_id,
        kind: ImportKind::Accounts,
        format: ImportFormat::Json,
        content: b"[]".to_vec().into(),
        passphrase: None,
        defaults: DefaultsOfImport::default(),
        name: None,
    };
    let apply = ApplyImport { workspace_id, import_id, expected_version: Some(1) };
    let cancel = CancelImport { workspace_id, import_id, expected_version: None };
    let reveal = RevealRevocationCode { workspace_id, account_id: Id::from_bytes([9; 16]) };
    vec![
        of("CreateImport", on.create_import(caller, create).await),
        of("ApplyImport", on.apply_import(caller, apply).await),
        of("CancelImport", on.cancel_import(caller, cancel).await),
        of("RevealRevocationCode", on.reveal_revocation_code(caller, reveal).await),
    ]
}

async fn writes(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, account_id, expected_version) = (&staff.world.operations, Id::from_bytes([9; 16]), None);
    let create = CreateAccount { workspace_id, ..staff.registration(1) };
    let update = UpdateAccount {
        workspace_id,
        account_id,
        trade_token: Some("x".to_owned()),
        capabilities: Vec::new(),
        limits: None,
        chat_enabled: None,
        secrets: tradepost_operations::trading::AccountSecrets::default(),
        cancel_strange_offers: None,
        giving_limits: None,
        expected_version,
    };
    let disable = DisableAccount { workspace_id, account_id, reason: None, expected_version };
    let enable = EnableAccount { workspace_id, account_id, expected_version };
    let code = GetAccountLoginCode { workspace_id, account_id };
    let bulk = BulkAccounts {
        workspace_id,
        account_ids: vec![account_id],
        account_group_id: None,
        action: BulkAction::Enable,
        reason: None,
    };
    let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![account_id] };
    let remove = RemoveAccount { workspace_id, account_id, expected_version };
    let advance = AdvanceAccount { workspace_id, account_id, event: AccountEvent::SigningIn, reason: None };
    let health = RecordAccountHealth { workspace_id, account_id, health: staff.health() };
    vec![
        of("CreateAccount", on.create_account(caller, create).await),
        of("UpdateAccount", on.update_account(caller, update).await),
        of("DisableAccount", on.disable_account(caller, disable).await),
        of("EnableAccount", on.enable_account(caller, enable).await),
        of("GetAccountLoginCode", on.get_account_login_code(caller, code).await),
        of("BulkAccounts", on.bulk_accounts(caller, bulk).await),
        of("AcknowledgeTradeProtection", on.acknowledge_trade_protection(caller, accept).await),
        of("RemoveAccount", on.remove_account(caller, remove).await),
        of("AdvanceAccount", on.advance_account(caller, advance).await),
        of("RecordAccountHealth", on.record_account_health(caller, health).await),
    ]
}

async fn requests_of_accounts(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, account_id) = (&staff.world.operations, Id::from_bytes([9; 16]));
    let renew = RefreshTradeToken { workspace_id, account_id, renew: false };
    let reading = AccountReading { began_at: staff.world.clock.now(), trade_token: None };
    let record = RecordAccountReading { workspace_id, account_id, reading };
    let (name, expected_version) = (text("trader-1"), None);
    let enable = EnableGiving { workspace_id, account_id, expected_version };
    let disable = DisableGiving { workspace_id, account_id, expected_version };
    vec![
        of("EnableGiving", on.enable_giving(caller, enable).await),
        of("DisableGiving", on.disable_giving(caller, disable).await),
        of("RefreshAccount", on.refresh_account(caller, RefreshAccount { workspace_id, account_id }).await),
        of("RefreshTradeToken", on.refresh_trade_token(caller, renew).await),
        of("AccountsToRefresh", on.accounts_to_refresh(caller, AccountsToRefresh { workspace_id }).await),
        of("BeginTokenRenewal", on.begin_token_renewal(caller, BeginTokenRenewal { workspace_id, account_id }).await),
        of(
            "PostponeTokenRenewal",
            on.postpone_token_renewal(caller, PostponeTokenRenewal { workspace_id, account_id }).await,
        ),
        of("RecordAccountReading", on.record_account_reading(caller, record).await),
        of(
            "RefuseAccountReading",
            on.refuse_account_reading(caller, RefuseAccountReading { workspace_id, account_id }).await,
        ),
        of("AccountOnRecord", on.account_on_record(caller, AccountOnRecord { workspace_id, name }).await),
    ]
}

async fn writes_of_groups(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, account_group_id, expected_version) = (&staff.world.operations, Id::from_bytes([9; 16]), None);
    let (name, account_ids) = ("Rifles".to_owned(), vec![Id::from_bytes([9; 16])]);
    let create = CreateAccountGroup { workspace_id, name: name.clone(), description: String::new() };
    let update =
        UpdateAccountGroup { workspace_id, account_group_id, name: Some(name), description: None, expected_version };
    let delete = DeleteAccountGroup { workspace_id, account_group_id, expected_version };
    let add = AddAccountsToGroup { workspace_id, account_group_id, account_ids: account_ids.clone(), expected_version };
    let take = RemoveAccountsFromGroup { workspace_id, account_group_id, account_ids, expected_version };
    vec![
        of("CreateAccountGroup", on.create_account_group(caller, create).await),
        of("UpdateAccountGroup", on.update_account_group(caller, update).await),
        of("DeleteAccountGroup", on.delete_account_group(caller, delete).await),
        of("AddAccountsToGroup", on.add_accounts_to_group(caller, add).await),
        of("RemoveAccountsFromGroup", on.remove_accounts_from_group(caller, take).await),
    ]
}

async fn refusals(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> (Refusals, Refusals) {
    let mut changes = writes(staff, caller, workspace_id).await;
    changes.extend(requests_of_accounts(staff, caller, workspace_id).await);
    changes.extend(writes_of_groups(staff, caller, workspace_id).await);
    changes.extend(writes_of_offers(staff, caller, workspace_id).await);
    changes.extend(requests_of_offers(staff, caller, workspace_id).await);
    changes.extend(inventory_rights::writes(staff, caller, workspace_id).await);
    changes.extend(writes_of_imports(staff, caller, workspace_id).await);
    changes.extend(writes_of_friends(staff, caller, workspace_id).await);
    changes.extend(confirmation_rights::writes(staff, caller, workspace_id).await);
    changes.extend(session_rights::writes(staff, caller, workspace_id).await);
    changes.extend(session_rights::writes_of_renewals(staff, caller, workspace_id).await);
    changes.extend(uses_of_chats(staff, caller, workspace_id).await);
    changes.extend(reports_of_chats(staff, caller, workspace_id).await);
    let mut all_reads = reads(staff, caller, workspace_id).await;
    all_reads.extend(reads_of_offers(staff, caller, workspace_id).await);
    all_reads.extend(inventory_rights::reads(staff, caller, workspace_id).await);
    all_reads.extend(reads_of_imports(staff, caller, workspace_id).await);
    all_reads.extend(reads_of_friends(staff, caller, workspace_id).await);
    all_reads.extend(confirmation_rights::reads(staff, caller, workspace_id).await);
    all_reads.extend(session_rights::reads(staff, caller, workspace_id).await);
    (all_reads, changes)
}

fn denied(refusals: &Refusals) -> usize {
    let is_denied = |error: &Option<OpError>| error.as_ref().is_some_and(|error| error.code == Code::PermissionDenied);
    refusals.iter().filter(|(_, error)| is_denied(error)).count()
}

#[tokio::test]
async fn every_operation_of_the_interface_is_in_this_table() {
    let staff = Staff::open().await;
    let (reads, writes) = refusals(&staff, &staff.keeper, staff.world.workspace_id).await;
    let decisions = inventory_rights::decisions(&staff, &staff.keeper, staff.world.workspace_id).await;
    let here: Vec<_> = reads.iter().chain(&writes).chain(&decisions).map(|(method, _)| *method).collect();
    for rule in RULES.iter().filter(|rule| rule.service == "trading.v1.Trading") {
        assert!(here.contains(&rule.method), "{}", rule.method);
    }
}

#[tokio::test]
async fn accounts_reads_and_writes_analytics_reads_and_nothing_else_does() {
    let staff = Staff::open().await;
    let home = staff.world.workspace_id;
    for policy in Policy::ALL {
        let caller = staff.world.key(PolicySet::of(&[policy])).await;
        let (reads, writes) = refusals(&staff, &caller, home).await;
        let expected = match policy {
            Policy::Accounts => (0, 0),
            Policy::Analytics => (0, writes.len()),
            Policy::Trading | Policy::Markets | Policy::Workspace | Policy::Identity => (reads.len(), writes.len()),
        };
        assert_eq!((denied(&reads), denied(&writes)), expected, "{}", policy.name());
    }
}

#[tokio::test]
async fn only_trading_decides_on_inventory_changes() {
    let staff = Staff::open().await;
    for policy in Policy::ALL {
        let caller = staff.world.key(PolicySet::of(&[policy])).await;
        let decisions = inventory_rights::decisions(&staff, &caller, staff.world.workspace_id).await;
        let expected = if policy == Policy::Trading { 0 } else { decisions.len() };
        assert_eq!(denied(&decisions), expected, "{}", policy.name());
    }
    let (elsewhere, _, _) = staff.world.other_workspace().await;
    let decisions = inventory_rights::decisions(&staff, &staff.keeper, elsewhere).await;
    assert_eq!(denied(&decisions), decisions.len());
}

#[tokio::test]
async fn another_workspace_is_denied_whether_it_exists_or_not() {
    let staff = Staff::open().await;
    let (existing, _, _) = staff.world.other_workspace().await;
    for workspace_id in [existing, Id::from_bytes([9; 16])] {
        let (reads, writes) = refusals(&staff, &staff.keeper, workspace_id).await;
        assert_eq!((denied(&reads), denied(&writes)), (reads.len(), writes.len()));
    }
}

#[tokio::test]
async fn an_unknown_record_is_not_found() {
    let staff = Staff::open().await;
    let (reads, writes) = refusals(&staff, &Caller::system(), staff.world.workspace_id).await;
    let (of_many, creating) = (["List", "Count"], ["CreateAccount", "Draft", "RecordTradeOffer"]);
    let several = [
        "GetAccounts",
        "GetAccountGroups",
        "GetTradeOffers",
        "GetImports",
        "FindUnsentTradeOffer",
        "GetSnapshots",
        "GetInventoryChanges",
    ];
    let social =
        ["GetFriends", "GetConversations", "GetMessages", "OpenFriendActions", "FriendReadings", "OpenMessages"];
    let by_hand =
        ["RequestedTradeOffers", "UnownedTradeOffers", "OfferReadings", "RecordAccountOffer", "RecordOfferReading"];
    let of_accounts = ["BulkAccounts", "AcknowledgeTradeProtection", "AccountsToRefresh", "AccountOnRecord"];
    let reports = ["RecordFriendList", "ConversationsWith", "UnreportedConversations", "RecordMessages"];
    for (method, refusal) in reads.into_iter().chain(writes) {
        let of_one = ["ListSnapshotItems", "ListMessages"].contains(&method);
        let names_none = !of_one
            && (several
                .iter()
                .chain(&social)
                .chain(&by_hand)
                .chain(&of_accounts)
                .chain(&reports)
                .chain(&confirmation_rights::NAMELESS)
                .chain(&session_rights::NAMELESS)
                .any(|name| *name == method)
                || of_many.iter().chain(&creating).any(|verb| method.starts_with(verb)));
        let expected = match method {
            // Nothing is read of its content.
            "CreateImport" => Some(Code::InvalidArgument),
            "ListImportRows" => Some(Code::NotFound),
            _ if names_none => None,
            _ => Some(Code::NotFound),
        };
        assert_eq!(refusal.map(|error| error.code), expected, "{method}");
    }
}
