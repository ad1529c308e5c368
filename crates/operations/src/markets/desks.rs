//! Desks that are made of records: the workspaces that have a game platform on record, and what each trades with. No operations of the
//! interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::desk::{DeskRecords, NoDesk, SeenProvider};
use tradepost_domain::markets::provider::{Provider, ProviderKind};
use tradepost_domain::text::Name;
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::{AccountFilter, PageRequest};

use crate::rules::WRITE_MARKETS;
use crate::{OpResult, Operations};

/// The most records that are read in one statement.
const PAGE: u32 = 200;

/// What the records of a workspace make.
pub type RecordedDesk = Result<DeskRecords, NoDesk>;

impl Operations {
    /// Returns the game platforms of these drivers on record, of all workspaces, in the order in which they were made.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn list_game_platforms(&self, drivers: &[Name]) -> OpResult<Vec<Provider>> {
        let (mut found, kind): (Vec<Provider>, _) = (Vec::new(), ProviderKind::GamePlatform);
        for driver in drivers {
            let mut after = None;
            loop {
                let page = self.ports.store.providers().list_of_kind(driver, kind, after, PAGE).await?;
                let is_last = page.len() < PAGE as usize;
                found.extend(page.into_iter().map(|provider| provider.into_display().0));
                after = found.last().map(|last| last.id);
                if is_last {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Returns the desk of a workspace, of those providers that can be connected; `None` for a workspace that does not exist any longer.
    ///
    /// # Errors
    /// `internal` when storage is out.
    pub async fn read_recorded_desk(
        &self,
        workspace_id: WorkspaceId,
        can_connect: impl Fn(&Provider) -> bool + Send,
    ) -> OpResult<Option<RecordedDesk>> {
        let scope = Caller::system().principal.enter(workspace_id, WRITE_MARKETS)?;
        let workspace = self.ports.store.workspaces().find(scope).await?;
        if workspace.is_none_or(|workspace| workspace.peek().deleted_at.is_some()) {
            return Ok(None);
        }
        let mut providers = self.read_all_providers(scope).await?;
        providers.retain(|seen| can_connect(&seen.provider));
        Ok(Some(DeskRecords::select(providers, &self.read_all_accounts(scope).await?)))
    }

    async fn read_all_providers(&self, scope: WorkspaceScope) -> OpResult<Vec<SeenProvider>> {
        let (store, mut found, mut before) = (self.ports.store.providers(), Vec::new(), None);
        loop {
            let page = store.list(scope, None, PageRequest { before, limit: PAGE }).await?;
            let providers = store.find_many(scope, &page.ids).await?;
            found.extend(providers.into_iter().map(|seen| {
                let (provider, version) = seen.into_display();
                SeenProvider { provider, version }
            }));
            before = page.ids.last().copied();
            if !page.more {
                return Ok(found);
            }
        }
    }

    async fn read_all_accounts(&self, scope: WorkspaceScope) -> OpResult<Vec<TradingAccount>> {
        let (store, mut found, mut before) = (self.ports.store.trading_accounts(), Vec::new(), None);
        loop {
            let page = store.list(scope, AccountFilter::default(), PageRequest { before, limit: PAGE }).await?;
            let accounts = store.find_many(scope, &page.ids).await?;
            found.extend(accounts.into_iter().map(|account| account.into_display().0));
            before = page.looked_to.or_else(|| page.ids.last().copied());
            if !page.more {
                return Ok(found);
            }
        }
    }
}
