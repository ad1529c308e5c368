//! Imports of trading accounts: checked by one call, applied by another.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::accounts::access::{Principal, WorkspaceScope};
use tradepost_domain::id::{AccountId, Id, ImportId};
use tradepost_domain::trading::import::{
    Import, ImportFormat, ImportKind, ImportRow, ImportStatus, ReadField, ReasonCode, RowOutcome,
};
use tradepost_domain::transition::Subject;
use tradepost_operations::trading::{
    AddAccountsToGroup, ApplyImport, CancelImport, CountAccounts, CreateAccount, CreateAccountGroup, CreateImport,
    DefaultsOfImport, GetAccountGroup, GetImport, LimitsOfAccount, ListImportRows, ReadAccountSecrets, RemoveAccount,
    RevealRevocationCode,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::imports::{ReadAccount, ReadFault, UnreadableImport};
use tradepost_ports::store::Records;
use tradepost_testkit::fakes::FakeImportReader;

use super::{Staff, refusal};
use crate::harness::World;

/// 20 bytes in Base64.
const SHARED: &str = "AQIDBAUGBwgJCgsMDQ4PEBESExQ=";
const IDENTITY: &str = "FRYXGBkaGxwdHh8gISIjJCUmJyg=";

/// Staff whose reader gives what a test sets.
pub(super) struct Importing {
    pub(super) staff: Staff,
    pub(super) reader: Arc<FakeImportReader>,
}

/// An account as a reader gives it.
pub(super) fn account(number: u32) -> ReadAccount {
    ReadAccount {
        platform_user_id: Some(user_id(number)),
        name: Some(format!("harbour-{number}")),
        fields: vec![
            (ReadField::LoginName, SecretString::from(format!("lantern{number}"))),
            (ReadField::SharedSecret, SHARED.into()),
            (ReadField::IdentitySecret, IDENTITY.into()),
            (ReadField::RevocationCode, SecretString::from(format!("R{number}"))),
        ],
        fault: None,
    }
}

fn user_id(number: u32) -> String {
    (76_561_198_000_000_000_u64 + u64::from(number)).to_string()
}

fn with(number: u32, field: ReadField, value: &str) -> ReadAccount {
    let mut read = account(number);
    read.fields.retain(|(of, _)| *of != field);
    read.fields.push((field, value.into()));
    read
}

impl Importing {
    pub(super) async fn open() -> Self {
        let reader = Arc::new(FakeImportReader::default());
        let world = World::with(|ports| ports.imports = reader.clone()).await;
        Self { staff: Staff::in_world(world).await, reader }
    }

    pub(super) fn command(&self) -> CreateImport {
        CreateImport {
            workspace_id: self.staff.world.workspace_id,
            kind: ImportKind::Accounts,
            format: ImportFormat::Json,
            content: b"[]".to_vec().into(),
            passphrase: None,
            defaults: DefaultsOfImport::default(),
            name: Some("the farm".to_owned()),
        }
    }

    pub(super) async fn create(&self, accounts: Vec<ReadAccount>) -> Import {
        self.reader.reads(Ok(accounts));
        self.staff.world.operations.create_import(&Caller::system(), self.command()).await.unwrap().value
    }

    pub(super) async fn apply(&self, id: ImportId) -> OpResult<Versioned<Import>> {
        self.apply_at(id, 1).await
    }

    async fn apply_at(&self, import_id: ImportId, version: i64) -> OpResult<Versioned<Import>> {
        let workspace_id = self.staff.world.workspace_id;
        let command = ApplyImport { workspace_id, import_id, expected_version: Some(version) };
        self.staff.world.operations.apply_import(&Caller::system(), command).await
    }

    pub(super) async fn rows(&self, import_id: ImportId) -> Vec<ImportRow> {
        let workspace_id = self.staff.world.workspace_id;
        let command = ListImportRows { workspace_id, import_id, limit: 0, cursor: String::new(), outcome: None };
        self.staff.world.operations.list_import_rows(&self.staff.keeper, command).await.unwrap().entries
    }

    pub(super) async fn outcomes(&self, id: ImportId) -> Vec<RowOutcome> {
        self.rows(id).await.iter().map(|row| row.outcome).collect()
    }

    /// The outcome and the reasons of the only row of an import.
    async fn checked(&self, read: ReadAccount) -> (RowOutcome, Vec<ReasonCode>) {
        let import = self.create(vec![read]).await;
        let row = self.rows(import.id).await.remove(0);
        self.cancel(import.id).await.unwrap();
        (row.outcome, row.reasons.iter().map(|reason| reason.code).collect())
    }

    async fn cancel(&self, import_id: ImportId) -> OpResult<Versioned<Import>> {
        let workspace_id = self.staff.world.workspace_id;
        let command = CancelImport { workspace_id, import_id, expected_version: None };
        self.staff.world.operations.cancel_import(&self.staff.keeper, command).await
    }

    async fn count(&self) -> i64 {
        let command = CountAccounts { workspace_id: self.staff.world.workspace_id };
        let counts = self.staff.world.operations.count_accounts(&self.staff.keeper, command).await.unwrap();
        counts.iter().map(|counted| counted.count).sum()
    }

    async fn reveal(&self, account_id: AccountId) -> OpResult<SecretString> {
        let command = RevealRevocationCode { workspace_id: self.staff.world.workspace_id, account_id };
        self.staff.world.operations.reveal_revocation_code(&Caller::system(), command).await
    }

    async fn shared_secret(&self, account_id: AccountId) -> Option<String> {
        let wanted = ReadAccountSecrets { workspace_id: self.staff.world.workspace_id, account_id };
        let secrets = self.staff.world.operations.read_account_secrets(&Caller::system(), wanted).await.unwrap();
        secrets?.shared_secret.map(|secret| secret.expose_secret().to_owned())
    }

    fn scope(&self) -> WorkspaceScope {
        Principal::System.enter_as_member(self.staff.world.workspace_id).unwrap()
    }

    /// How many secrets the workspace keeps.
    pub(super) async fn secrets(&self) -> usize {
        self.staff.world.store.workspace_secrets().list_under(self.scope(), 1, None, 100).await.unwrap().len()
    }

    async fn found(&self, import_id: ImportId) -> Versioned<Import> {
        let command = GetImport { workspace_id: self.staff.world.workspace_id, import_id };
        self.staff.world.operations.get_import(&self.staff.keeper, command).await.unwrap()
    }
}

#[tokio::test]
async fn creating_an_import_applies_nothing() {
    let on = Importing::open().await;
    let import = on.create(vec![account(1), account(2)]).await;
    assert_eq!((import.status, import.tally.rows, import.tally.accepted), (ImportStatus::Checked, 2, 2));
    assert_eq!(import.expires_at, import.created_at.plus(Duration::hours(1)));
    assert_eq!(on.outcomes(import.id).await, [RowOutcome::WillCreate; 2]);
    assert_eq!(on.count().await, 0);
}

#[tokio::test]
async fn applying_creates_the_accounts_with_their_secrets_and_defaults() {
    let on = Importing::open().await;
    let operations = &on.staff.world.operations;
    let workspace_id = on.staff.world.workspace_id;
    let group = CreateAccountGroup { workspace_id, name: "Bots".to_owned(), description: String::new() };
    let account_group_id = operations.create_account_group(&on.staff.keeper, group).await.unwrap().value.id;
    on.reader.reads(Ok(vec![account(1)]));
    let limits = LimitsOfAccount { max_open_purchases: Some(3), ..LimitsOfAccount::default() };
    let defaults = DefaultsOfImport { group_id: Some(account_group_id), limits, ..DefaultsOfImport::default() };
    let command = CreateImport { defaults, ..on.command() };
    let import = operations.create_import(&Caller::system(), command).await.unwrap().value;
    let applied = on.apply(import.id).await.unwrap();
    assert_eq!((applied.value.status, applied.version), (ImportStatus::Applied, 3));
    let row = on.rows(import.id).await.remove(0);
    let id = row.account_id.unwrap();
    assert_eq!(row.outcome, RowOutcome::Created);
    let created = on.staff.found(id).await.value;
    assert_eq!((created.name.as_str(), created.limits.max_open_purchases), ("harbour-1", Some(3)));
    assert!(created.has_secrets);
    assert_eq!(on.shared_secret(id).await.as_deref(), Some(SHARED));
    assert_eq!(on.reveal(id).await.unwrap().expose_secret(), "R1");
    let group = GetAccountGroup { workspace_id, account_group_id };
    let group = operations.get_account_group(&on.staff.keeper, group).await.unwrap().value;
    assert_eq!(group.account_ids, [id].into());
}

#[tokio::test]
async fn importing_twice_changes_nothing() {
    let on = Importing::open().await;
    let accounts = vec![account(1), account(2), account(3)];
    let first = on.create(accounts.clone()).await;
    on.apply(first.id).await.unwrap();
    let ids: Vec<_> = on.rows(first.id).await.iter().filter_map(|row| row.account_id).collect();
    let before = on.staff.found(ids[0]).await.version;
    let second = on.create(accounts).await;
    assert_eq!(on.outcomes(second.id).await, [RowOutcome::Same; 3]);
    on.apply(second.id).await.unwrap();
    assert_eq!((on.count().await, on.staff.found(ids[0]).await.version), (3, before));
}

#[tokio::test]
async fn an_account_that_is_there_gets_what_it_lacks_and_keeps_what_is_not_given() {
    let on = Importing::open().await;
    let id = on.staff.register(1).await.id;
    let read = ReadAccount { name: Some("another".to_owned()), ..account(1) };
    let import = on.create(vec![read]).await;
    let row = on.rows(import.id).await.remove(0);
    assert_eq!(
        (row.outcome, row.account_id, row.name.unwrap().as_str()),
        (RowOutcome::WillUpdate, Some(id), "trader-1")
    );
    on.apply(import.id).await.unwrap();
    assert_eq!(on.outcomes(import.id).await, [RowOutcome::Updated]);
    let wanted = ReadAccountSecrets { workspace_id: on.staff.world.workspace_id, account_id: id };
    let secrets = on.staff.world.operations.read_account_secrets(&Caller::system(), wanted).await.unwrap().unwrap();
    assert_eq!(secrets.password.unwrap().expose_secret(), "seven lanterns");
    assert_eq!(secrets.shared_secret.unwrap().expose_secret(), SHARED);
    assert_eq!(on.staff.found(id).await.value.trade_token.clone().unwrap().as_str(), "AbCdEfGh");
}

#[tokio::test]
async fn a_row_that_cannot_be_applied_says_why_and_the_others_are_applied() {
    let on = Importing::open().await;
    on.staff.register(9).await;
    let number = |number: Option<&str>| ReadAccount { platform_user_id: number.map(str::to_owned), ..account(1) };
    let named = |name: &str| ReadAccount { name: Some(name.to_owned()), ..account(1) };
    let fault = ReadFault { code: ReasonCode::FileEncrypted, detail: "sealed".to_owned() };
    for (read, code) in [
        (number(None), ReasonCode::NumberInvalid),
        (number(Some("12")), ReasonCode::NumberInvalid),
        (number(Some("103582791429521412")), ReasonCode::NumberInvalid),
        (number(Some("076561198000000001")), ReasonCode::NumberInvalid),
        (named("trader-9"), ReasonCode::NameTaken),
        (named(&"x".repeat(65)), ReasonCode::NameInvalid),
        (with(1, ReadField::SharedSecret, "AQID"), ReasonCode::SecretInvalid),
        (with(1, ReadField::IdentitySecret, "not Base64"), ReasonCode::SecretInvalid),
        (with(1, ReadField::Password, &"x".repeat(1_025)), ReasonCode::SecretInvalid),
        (with(1, ReadField::TradeToken, &"x".repeat(129)), ReasonCode::TokenInvalid),
        (ReadAccount { fault: Some(fault), ..ReadAccount::default() }, ReasonCode::FileEncrypted),
    ] {
        assert_eq!(on.checked(read).await, (RowOutcome::Refused, vec![code]), "{code}");
    }
    let import = on.create(vec![number(None), account(1), account(1), account(2)]).await;
    assert_eq!((import.tally.accepted, import.tally.rejected), (2, 2));
    on.apply(import.id).await.unwrap();
    let expected = [RowOutcome::Refused, RowOutcome::Created, RowOutcome::Refused, RowOutcome::Created];
    assert_eq!(on.outcomes(import.id).await, expected);
    assert_eq!(on.rows(import.id).await[2].reasons[0].code, ReasonCode::NumberTwice);
}

#[tokio::test]
async fn an_account_of_another_workspace_is_refused_without_its_workspace() {
    let on = Importing::open().await;
    let (workspace_id, _, _) = on.staff.world.other_workspace().await;
    on.staff.world.acknowledge_risks_in(workspace_id).await;
    let abroad = CreateAccount { workspace_id, ..on.staff.registration(1) };
    on.staff.world.operations.create_account(&Caller::system(), abroad).await.unwrap();
    let import = on.create(vec![account(1)]).await;
    let row = on.rows(import.id).await.remove(0);
    assert_eq!((row.reasons[0].code, row.account_id), (ReasonCode::AccountElsewhere, None));
    assert_eq!(row.reasons[0].detail.as_str(), "another workspace of this installation has the account");
}

#[tokio::test]
async fn a_row_without_a_name_is_named_after_its_number_or_as_asked_after_its_login() {
    let on = Importing::open().await;
    let read = ReadAccount { name: None, ..account(1) };
    let import = on.create(vec![read.clone()]).await;
    assert_eq!(on.rows(import.id).await[0].name.as_ref().unwrap().as_str(), user_id(1));
    let defaults = DefaultsOfImport { name_after_login: true, ..DefaultsOfImport::default() };
    let command = CreateImport { defaults, ..on.command() };
    let import = on.staff.world.operations.create_import(&Caller::system(), command).await.unwrap().value;
    assert_eq!(on.rows(import.id).await[0].name.as_ref().unwrap().as_str(), "lantern1");
}

#[tokio::test]
async fn what_no_longer_fits_when_it_is_applied_fails_for_itself_alone() {
    let on = Importing::open().await;
    let import = on.create(vec![account(1), account(2)]).await;
    let taken = CreateAccount { name: "harbour-1".to_owned(), ..on.staff.registration(7) };
    on.staff.world.operations.create_account(&Caller::system(), taken).await.unwrap();
    let applied = on.apply(import.id).await.unwrap().value;
    assert_eq!((applied.tally.accepted, applied.tally.rejected), (1, 1));
    let rows = on.rows(import.id).await;
    assert_eq!((rows[0].outcome, rows[0].reasons[0].code), (RowOutcome::Failed, ReasonCode::NameTaken));
    assert_eq!(rows[1].outcome, RowOutcome::Created);
}

#[tokio::test]
async fn a_group_without_room_refuses_what_it_does_not_take() {
    let on = Importing::open().await;
    let (operations, workspace_id) = (&on.staff.world.operations, on.staff.world.workspace_id);
    let group = CreateAccountGroup { workspace_id, name: "Bots".to_owned(), description: String::new() };
    let account_group_id = operations.create_account_group(&on.staff.keeper, group).await.unwrap().value.id;
    let mut ids = Vec::new();
    for number in 0..999 {
        ids.push(on.staff.register(1_000 + number).await.id);
    }
    for account_ids in ids.chunks(200).map(<[AccountId]>::to_vec) {
        let add = AddAccountsToGroup { workspace_id, account_group_id, account_ids, expected_version: None };
        operations.add_accounts_to_group(&on.staff.keeper, add).await.unwrap();
    }
    on.reader.reads(Ok(vec![account(1), account(2)]));
    let defaults = DefaultsOfImport { group_id: Some(account_group_id), ..DefaultsOfImport::default() };
    let command = CreateImport { defaults, ..on.command() };
    let import = operations.create_import(&Caller::system(), command).await.unwrap().value;
    let rows = on.rows(import.id).await;
    assert_eq!((rows[0].outcome, rows[1].reasons[0].code), (RowOutcome::WillCreate, ReasonCode::GroupFull));
}

#[tokio::test]
async fn many_rows_are_applied_in_parts_and_a_second_call_returns_what_was_done() {
    let on = Importing::open().await;
    let import = on.create((1..=60).map(account).collect()).await;
    let applied = on.apply(import.id).await.unwrap();
    assert_eq!((applied.value.status, applied.version, on.count().await), (ImportStatus::Applied, 5, 60));
    let again = on.apply(import.id).await.unwrap();
    assert_eq!((again.version, on.count().await), (5, 60));
    let log = on.staff.world.store.transitions().list_of(on.scope(), Subject::Import(import.id), 100).await.unwrap();
    let moves: Vec<_> = log.iter().map(|step| (step.from, step.to)).collect();
    let expected = [(None, "CHECKED"), (Some("CHECKED"), "APPLYING"), (Some("APPLYING"), "APPLIED")];
    assert_eq!(moves, expected, "a part does not change the status");
}

#[tokio::test]
async fn only_the_rows_that_were_seen_are_applied() {
    let on = Importing::open().await;
    let import = on.create(vec![account(1)]).await;
    let refused = (Code::FailedPrecondition, "VERSION_MISMATCH");
    assert_eq!(refusal(on.apply_at(import.id, 2)).await, refused);
    let workspace_id = on.staff.world.workspace_id;
    for (expected_version, why) in [(None, "INVALID_FIELD"), (Some(0), "INVALID_FIELD")] {
        let command = ApplyImport { workspace_id, import_id: import.id, expected_version };
        let refused = refusal(on.staff.world.operations.apply_import(&Caller::system(), command)).await;
        assert_eq!(refused, (Code::InvalidArgument, why));
    }
    assert_eq!(on.count().await, 0);
}

#[tokio::test]
async fn an_import_that_is_cancelled_or_an_hour_old_is_not_applied_and_keeps_no_content() {
    let on = Importing::open().await;
    let (cancelled, expired) = (on.create(vec![account(1)]).await, on.create(vec![account(2)]).await);
    let sealed = on.secrets().await;
    assert_eq!(on.cancel(cancelled.id).await.unwrap().value.status, ImportStatus::Cancelled);
    let illegal = (Code::FailedPrecondition, "ILLEGAL_STEP");
    assert_eq!(refusal(on.apply(cancelled.id)).await, illegal);
    assert_eq!(refusal(on.cancel(cancelled.id)).await, illegal);
    on.staff.world.clock.advance(Duration::hours(1));
    assert_eq!(refusal(on.apply(expired.id)).await, illegal);
    assert_eq!(on.staff.world.operations.sweep().await.unwrap().imports, 1);
    assert_eq!(on.found(expired.id).await.value.status, ImportStatus::Expired);
    assert_eq!(refusal(on.apply(expired.id)).await, illegal);
    assert_eq!((on.secrets().await, sealed), (0, 2));
    assert_eq!(on.count().await, 0);
}

#[tokio::test]
async fn an_applied_import_keeps_no_content() {
    let on = Importing::open().await;
    let import = on.create(vec![ReadAccount { fields: Vec::new(), ..account(1) }]).await;
    on.apply(import.id).await.unwrap();
    assert_eq!(on.secrets().await, 0);
}

#[tokio::test]
async fn content_that_cannot_be_read_is_refused_by_its_field() {
    let on = Importing::open().await;
    let operations = &on.staff.world.operations;
    for (error, field) in [
        (UnreadableImport::Content("must be JSON".to_owned()), "content must be JSON"),
        (UnreadableImport::Passphrase("is required".to_owned()), "passphrase is required"),
    ] {
        on.reader.reads(Err(error));
        let refused = operations.create_import(&Caller::system(), on.command()).await.unwrap_err();
        assert_eq!((refused.code, refused.message.as_str()), (Code::InvalidArgument, field));
    }
    on.reader.reads(Err(UnreadableImport::Failed("broken".to_owned())));
    assert_eq!(refusal(operations.create_import(&Caller::system(), on.command())).await, (Code::Internal, "INTERNAL"));
    on.reader.reads(Ok(Vec::new()));
    let refused = (Code::InvalidArgument, "INVALID_FIELD");
    assert_eq!(refusal(operations.create_import(&Caller::system(), on.command())).await, refused);
    on.reader.reads(Ok(vec![account(1)]));
    let largest = vec![b'x'; 4 * 1_024 * 1_024 + 1];
    for command in [
        CreateImport { content: Vec::new().into(), ..on.command() },
        CreateImport { content: largest.into(), ..on.command() },
        CreateImport { passphrase: Some("".into()), ..on.command() },
        CreateImport { passphrase: Some("x".repeat(1_025).into()), ..on.command() },
        CreateImport { name: Some(String::new()), ..on.command() },
    ] {
        assert_eq!(refusal(operations.create_import(&Caller::system(), command)).await, refused);
    }
}

#[tokio::test]
async fn a_group_that_is_not_there_is_not_found_when_it_is_checked_and_when_it_is_applied() {
    let on = Importing::open().await;
    on.reader.reads(Ok(vec![account(1)]));
    let defaults = DefaultsOfImport { group_id: Some(Id::from_bytes([9; 16])), ..DefaultsOfImport::default() };
    let command = CreateImport { defaults, ..on.command() };
    let refused = refusal(on.staff.world.operations.create_import(&Caller::system(), command)).await;
    assert_eq!(refused, (Code::NotFound, "NOT_FOUND"));
}

#[tokio::test]
async fn a_workspace_keeps_the_content_of_ten_imports() {
    let on = Importing::open().await;
    for _ in 0..10 {
        on.create(vec![account(1)]).await;
    }
    let refused = refusal(on.staff.world.operations.create_import(&Caller::system(), on.command())).await;
    assert_eq!(refused, (Code::FailedPrecondition, "TOO_MANY_IMPORTS"));
}

#[tokio::test]
async fn applying_and_revealing_ask_for_a_second_factor() {
    let on = Importing::open().await;
    let (operations, workspace_id) = (&on.staff.world.operations, on.staff.world.workspace_id);
    let import = on.create(vec![account(1)]).await;
    let asked = (Code::FailedPrecondition, "STEP_UP_REQUIRED");
    let apply = ApplyImport { workspace_id, import_id: import.id, expected_version: Some(1) };
    assert_eq!(refusal(operations.apply_import(&on.staff.keeper, apply)).await, asked);
    on.apply(import.id).await.unwrap();
    let account_id = on.rows(import.id).await[0].account_id.unwrap();
    let reveal = RevealRevocationCode { workspace_id, account_id };
    assert_eq!(refusal(operations.reveal_revocation_code(&on.staff.keeper, reveal)).await, asked);
}

#[tokio::test]
async fn an_account_without_a_revocation_code_and_one_that_was_removed_reveal_none() {
    let on = Importing::open().await;
    let none = (Code::NotFound, "NOT_FOUND");
    let id = on.staff.register(1).await.id;
    assert_eq!(refusal(on.reveal(id)).await, none);
    assert_eq!(refusal(on.reveal(Id::from_bytes([9; 16]))).await, none);
    let import = on.create(vec![account(2)]).await;
    on.apply(import.id).await.unwrap();
    let account_id = on.rows(import.id).await[0].account_id.unwrap();
    let remove = RemoveAccount { workspace_id: on.staff.world.workspace_id, account_id, expected_version: None };
    on.staff.world.operations.remove_account(&Caller::system(), remove).await.unwrap();
    assert_eq!(refusal(on.reveal(account_id)).await, none);
}

#[tokio::test]
async fn rows_are_listed_page_by_page_and_by_outcome() {
    let on = Importing::open().await;
    let import = on.create(vec![account(1), account(1), account(2), account(3)]).await;
    let operations = &on.staff.world.operations;
    let list = ListImportRows {
        workspace_id: on.staff.world.workspace_id,
        import_id: import.id,
        limit: 2,
        cursor: String::new(),
        outcome: Some(RowOutcome::WillCreate),
    };
    let first = operations.list_import_rows(&on.staff.keeper, list.clone()).await.unwrap();
    let numbers = |rows: &[ImportRow]| rows.iter().map(|row| row.number).collect::<Vec<_>>();
    assert_eq!(numbers(&first.entries), [1, 3]);
    let next = ListImportRows { cursor: first.next_cursor, ..list.clone() };
    let second = operations.list_import_rows(&on.staff.keeper, next.clone()).await.unwrap();
    assert_eq!((numbers(&second.entries), second.next_cursor.as_str()), (vec![4], ""));
    let other = ListImportRows { outcome: None, ..next };
    assert_eq!(
        refusal(operations.list_import_rows(&on.staff.keeper, other)).await,
        (Code::InvalidArgument, "INVALID_CURSOR")
    );
}

#[tokio::test]
async fn no_row_of_an_import_shows_a_secret() {
    let on = Importing::open().await;
    let import = on.create(vec![account(1), with(2, ReadField::SharedSecret, "AQIDcopper")]).await;
    let shown = format!("{:?}{:?}", on.rows(import.id).await, on.found(import.id).await);
    for secret in ["lantern1", SHARED, IDENTITY, "R1", "copper"] {
        assert!(!shown.contains(secret), "{secret}");
    }
}
