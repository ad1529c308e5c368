//! [`CreateImport`]: reads and checks trading accounts that other programs keep, items that accounts hold, or purchases and sales of
//! items. Nothing is applied.

use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::id::{AccountGroupId, WorkspaceId};
use tradepost_domain::text::Name;
use tradepost_domain::trading::import::{
    IMPORT_LIFE, Import, ImportDefaults, ImportFormat, ImportKind, ImportRow, ImportRows, ImportStatus, MOST_ROWS,
    RowTally,
};
use tradepost_domain::trading::trading_account::{AccountGroup, AccountRole};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Caller, Changes};
use tradepost_ports::imports::{ImportContent, MOST_CONTENT_BYTES, ReadAccount, ReadHolding, UnreadableImport};
use tradepost_ports::record::Kind;

use super::candidates::Candidate;
use super::check_holdings::check_holdings;
use super::check_purchases::check_purchases;
use super::check_rows::check_candidates;
use super::check_sales::check_sales;
use super::import_moves::require_right_to;
use super::{content, holdings};
use crate::accounts::workspaces::risk_notice::rely_on_acknowledged_risks;
use crate::commit::Step;
use crate::rules;
use crate::secrets::data_keys::lost_race;
use crate::trading::LimitsOfAccount;
use crate::trading::trading_accounts::account_moves::account_group_as_seen;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// The most imports of a workspace that are not applied and keep their content.
const MOST_OPEN: i64 = 10;
/// Most bytes of a passphrase.
const LONGEST_PASSPHRASE: usize = 1_024;

/// Reads and checks what an import brings.
#[derive(Debug)]
pub struct CreateImport {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// What it brings.
    pub kind: ImportKind,
    /// How the content is written.
    pub format: ImportFormat,
    /// The content, 1 byte to 4 MiB.
    pub content: SecretSlice<u8>,
    /// The passphrase of encrypted content, 1 to 1,024 bytes.
    pub passphrase: Option<SecretString>,
    /// What each account that is created gets; nothing is said for holdings, purchases and sales.
    pub defaults: DefaultsOfImport,
    /// What to call the import, 1 to 64 characters.
    pub name: Option<String>,
}

/// What each account that an import creates gets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DefaultsOfImport {
    /// The group that it is put into.
    pub group_id: Option<AccountGroupId>,
    /// The limits.
    pub limits: LimitsOfAccount,
    /// The permitted roles; empty permits all.
    pub capabilities: Vec<AccountRole>,
    /// Whether it is named after its sign-in name, and not after its number, where its row has no name.
    pub name_after_login: bool,
}

/// What was read of a content, before it is compared with the records that there are.
#[derive(Clone)]
enum Understood {
    Accounts(Vec<Candidate>),
    Holdings(Vec<ImportRow>),
    Purchases(Vec<ImportRow>),
    Sales(Vec<ImportRow>),
}

impl Operations {
    /// Reads trading accounts that other programs keep, items that accounts hold, or purchases and sales of items, checks each, and reports
    /// what applying would do. No record is created or changed. The secrets that were read are sealed until the import is applied, cancelled, or an hour old.
    ///
    /// # Errors
    /// `permission_denied`, for holdings, purchases and sales without the policy `trading` as well; `failed_precondition` with `STEP_UP_REQUIRED`;
    /// `invalid_argument` naming the field: `content` that is not of its format, `passphrase` that opens nothing, a format, a passphrase or
    /// defaults that holdings, purchases and sales do not have; `not_found` for the group; `failed_precondition` with `RISKS_NOT_ACKNOWLEDGED` or
    /// `TOO_MANY_IMPORTS`;
    /// `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn create_import(&self, caller: &Caller, command: CreateImport) -> OpResult<Versioned<Import>> {
        let scope = rules::CREATE_IMPORT.enter(&caller.principal, command.workspace_id)?;
        require_right_to(caller, command.kind, command.workspace_id)?;
        let import = self.new_import(caller, &command)?;
        check_sizes(&command)?;
        check_of_holdings(&command)?;
        // Before the content is read, which takes long where it is encrypted.
        let mut looked_at = Changes::detached(caller);
        self.require_step_up_in(caller, scope, rules::CREATE_IMPORT, &mut looked_at).await?;
        if command.kind == ImportKind::Accounts {
            rely_on_acknowledged_risks(self, scope, &mut looked_at).await?;
        }
        self.require_room_for_import(scope).await?;
        let understood = self.understand(command).await?;
        self.retrying(|| self.insert_import(caller, scope, import.clone(), understood.clone())).await
    }

    /// Reads a content.
    async fn understand(&self, command: CreateImport) -> OpResult<Understood> {
        let kind = command.kind;
        let (content, name_after_login) = parts(command);
        match kind {
            ImportKind::Accounts => {
                let read = self.ports.imports.read(content).await.map_err(unreadable)?;
                accounts(read, name_after_login).map(Understood::Accounts)
            }
            ImportKind::Holdings => {
                let read = self.ports.imports.read_holdings(content).await.map_err(unreadable)?;
                rows_of_items(read, "holdings", holdings::row_of).map(Understood::Holdings)
            }
            // Purchases and sales are written as holdings are, with fields of their own.
            ImportKind::Purchases => {
                let read = self.ports.imports.read_holdings(content).await.map_err(unreadable)?;
                rows_of_items(read, "purchases", holdings::row_of_purchase).map(Understood::Purchases)
            }
            ImportKind::Sales => {
                let read = self.ports.imports.read_holdings(content).await.map_err(unreadable)?;
                rows_of_items(read, "sales", holdings::row_of).map(Understood::Sales)
            }
        }
    }

    fn new_import(&self, caller: &Caller, command: &CreateImport) -> OpResult<Import> {
        let (at, defaults) = (self.now(), &command.defaults);
        let all = defaults.capabilities.is_empty().then_some(AccountRole::ALL);
        let name: Option<Name> = command.name.as_deref().map(|name| fields::text("name", name)).transpose()?;
        Ok(Import {
            id: self.mint(),
            workspace_id: command.workspace_id,
            kind: command.kind,
            format: command.format,
            status: ImportStatus::Checked,
            name,
            tally: RowTally::default(),
            defaults: ImportDefaults {
                group_id: defaults.group_id,
                limits: defaults.limits.check().map_err(|error| error.within("defaults"))?,
                capabilities: all.unwrap_or(&defaults.capabilities).iter().copied().collect(),
            },
            created_by: caller.principal.prover().map(|prover| prover.user_id),
            expires_at: at.plus(IMPORT_LIFE),
            created_at: at,
            updated_at: at,
        })
    }

    /// Bounds the sealed content that a workspace keeps.
    async fn require_room_for_import(&self, scope: WorkspaceScope) -> OpResult<()> {
        let counted = self.ports.store.counters().by_status(scope, Kind::Import, None).await?;
        let is_open = |code| ImportStatus::from_code(code).is_some_and(|status| !status.is_terminal());
        let open = counted.iter().filter(|(code, _)| is_open(*code)).map(|(_, many)| *many).sum::<i64>();
        if open < MOST_OPEN {
            return Ok(());
        }
        let message = format!("{MOST_OPEN} imports of the workspace are not applied; apply or cancel one");
        Err(OpError::failed_precondition(Reason::TooManyImports, message))
    }

    async fn insert_import(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        import: Import,
        understood: Understood,
    ) -> OpResult<Versioned<Import>> {
        let mut changes = Changes::by(caller);
        self.require_step_up_in(caller, scope, rules::CREATE_IMPORT, &mut changes).await?;
        let rows = match understood {
            Understood::Accounts(candidates) => self.check_and_seal(scope, &import, candidates, &mut changes).await?,
            Understood::Holdings(mut rows) => {
                check_holdings(self, scope, &mut rows).await?;
                rows
            }
            Understood::Purchases(mut rows) => {
                check_purchases(self, scope, import.id, &mut rows).await?;
                rows
            }
            Understood::Sales(mut rows) => {
                check_sales(self, scope, import.id, &mut rows).await?;
                rows
            }
        };
        let rows = ImportRows { import_id: import.id, workspace_id: import.workspace_id, rows };
        let import = Import { tally: rows.tally(), ..import };
        let step = Step {
            subject: Subject::Import(import.id),
            from: None,
            to: import.status.as_str(),
            version: 1,
            trigger: "checked",
        };
        changes.append(AppendedRow::Transition(self.transition(caller, import.workspace_id, step, import.created_at)));
        changes.audit(AuditKind::ImportCreated, About::from(&import).with(Fact::Count, &import.tally.rows));
        changes.insert(rows);
        changes.insert(import.clone());
        self.commit(caller, changes).await.map_err(lost_race)?;
        Ok(Versioned::new(import))
    }

    /// Checks accounts, and seals what their rows do not show.
    async fn check_and_seal(
        &self,
        scope: WorkspaceScope,
        import: &Import,
        mut candidates: Vec<Candidate>,
        changes: &mut Changes,
    ) -> OpResult<Vec<ImportRow>> {
        rely_on_acknowledged_risks(self, scope, changes).await?;
        let room = self.room_in_group(scope, import.defaults.group_id).await?;
        check_candidates(self, scope, &mut candidates, room).await?;
        let content = content::packed(&candidates);
        content::place(import.id).keep(self, scope, content.expose_secret(), changes).await?;
        Ok(candidates.into_iter().map(|candidate| candidate.row).collect())
    }

    async fn room_in_group(&self, scope: WorkspaceScope, group: Option<AccountGroupId>) -> OpResult<usize> {
        let Some(group) = group else { return Ok(usize::MAX) };
        let group = account_group_as_seen(self, scope, group, None).await?;
        Ok(AccountGroup::MOST.saturating_sub(group.peek().account_ids.len()))
    }
}

fn check_sizes(command: &CreateImport) -> OpResult<()> {
    if !(1..=MOST_CONTENT_BYTES).contains(&command.content.expose_secret().len()) {
        return Err(OpError::invalid_field("content", format_args!("must have 1 to {MOST_CONTENT_BYTES} bytes")));
    }
    let lengths = 1..=LONGEST_PASSPHRASE;
    if command.passphrase.as_ref().is_some_and(|given| !lengths.contains(&given.expose_secret().len())) {
        return Err(OpError::invalid_field("passphrase", format_args!("must have 1 to {LONGEST_PASSPHRASE} bytes")));
    }
    Ok(())
}

fn parts(command: CreateImport) -> (ImportContent, bool) {
    let CreateImport { format, content: bytes, passphrase, defaults, .. } = command;
    (ImportContent { format, bytes, passphrase }, defaults.name_after_login)
}

/// Checks that nothing is said of holdings, purchases or sales that only accounts have.
fn check_of_holdings(command: &CreateImport) -> OpResult<()> {
    let what = match command.kind {
        ImportKind::Accounts => return Ok(()),
        ImportKind::Holdings => "holdings",
        ImportKind::Purchases => "purchases",
        ImportKind::Sales => "sales",
    };
    if !matches!(command.format, ImportFormat::Json | ImportFormat::Csv) {
        return Err(OpError::invalid_field("format", format_args!("must be JSON or CSV for {what}")));
    }
    if command.passphrase.is_some() {
        return Err(OpError::invalid_field(
            "passphrase",
            format_args!("is for encrypted accounts, and not for {what}"),
        ));
    }
    if command.defaults != DefaultsOfImport::default() {
        return Err(OpError::invalid_field("defaults", format_args!("are for accounts, and not for {what}")));
    }
    Ok(())
}

fn accounts(read: Vec<ReadAccount>, name_after_login: bool) -> OpResult<Vec<Candidate>> {
    if !(1..=MOST_ROWS).contains(&read.len()) {
        return Err(OpError::invalid_field("content", format_args!("must have 1 to {MOST_ROWS} accounts")));
    }
    Ok((1..).zip(read).map(|(number, read)| Candidate::of(number, read, name_after_login)).collect())
}

fn rows_of_items(
    read: Vec<ReadHolding>,
    what: &str,
    row_of: fn(u32, ReadHolding) -> ImportRow,
) -> OpResult<Vec<ImportRow>> {
    if !(1..=MOST_ROWS).contains(&read.len()) {
        return Err(OpError::invalid_field("content", format_args!("must have 1 to {MOST_ROWS} {what}")));
    }
    Ok((1..).zip(read).map(|(number, read)| row_of(number, read)).collect())
}

fn unreadable(error: UnreadableImport) -> OpError {
    match error {
        UnreadableImport::Content(rule) => OpError::invalid_field("content", rule),
        UnreadableImport::Passphrase(rule) => OpError::invalid_field("passphrase", rule),
        UnreadableImport::Failed(why) => OpError::internal(why),
    }
}
