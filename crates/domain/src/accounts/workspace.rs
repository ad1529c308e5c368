//! Workspaces: the tenants to which everything else belongs.

mod halt;
mod market;
mod risk_notice;
mod settings;

use time::Duration;

use crate::accounts::preferences::TimeZone;
use crate::id::WorkspaceId;
use crate::money::Currency;
use crate::text::{Description, Name};
use crate::time::Timestamp;

pub use halt::{TradingHalt, TradingHalted};
pub use market::{MarketKind, OtherMarket};
pub use risk_notice::{RISK_NOTICE, RiskAcknowledgement, RiskNotice, RiskNoticeError, RiskPoint};
pub use settings::{KeyLife, KeyLifeError, Settings, SettingsChange};

/// Most workspaces that one user owns.
pub const MOST_OWNED: usize = 10;

/// How long after its deletion a workspace can be restored. Then it is removed.
pub const RESTORABLE_FOR: Duration = Duration::days(30);

/// A tenant: members, keys, contracts, purchases and items belong to exactly one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Identifier.
    pub id: WorkspaceId,
    /// Name for people.
    pub name: Name,
    /// What it is for; may be absent.
    pub description: Option<Description>,
    /// The currency of every amount in it. It never changes: what was booked is never revalued.
    pub base_currency: Currency,
    /// Where its people count days: the console filters and reports profit by days of this zone. Equity and limits are by UTC days.
    pub time_zone: TimeZone,
    /// What it asks of its members and their keys.
    pub settings: Settings,
    /// Why nothing is bought; absent while it trades.
    pub trading_halt: Option<TradingHalt>,
    /// Who read which risk notice for it last; absent until someone has. See [`RISK_NOTICE`].
    pub risks_acknowledged: Option<RiskAcknowledgement>,
    /// When its owner deleted it; absent while it exists.
    pub deleted_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What is to change of a workspace; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkspaceChange {
    /// The name from now on.
    pub name: Option<Name>,
    /// What it is for from now on: a text, or nothing.
    pub description: Option<NewDescription>,
    /// The time zone from now on.
    pub time_zone: Option<TimeZone>,
    /// What is to change of its settings.
    pub settings: SettingsChange,
}

/// Why a workspace cannot be deleted or restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeletionError {
    /// The name that was typed to confirm is another one.
    #[error("confirmName is not the name of the workspace")]
    NameMismatch,
    /// It is deleted already.
    #[error("the workspace was deleted; its owner can restore it for 30 days")]
    Deleted,
    /// It was never deleted, or is restored already.
    #[error("the workspace is not deleted")]
    NotDeleted,
    /// Its time is over.
    #[error("the workspace was deleted more than 30 days ago")]
    TooLate,
}

/// Money of one currency would be kept in a workspace of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the workspace keeps its money in {base}, not in {given}")]
pub struct OtherCurrency {
    /// The currency of the workspace.
    pub base: Currency,
    /// The one that was given.
    pub given: Currency,
}

/// What a workspace is for from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewDescription {
    /// Nothing is said.
    Empty,
    /// This.
    Text(Description),
}

impl Workspace {
    /// Returns a new workspace, which trades and asks nothing of its members yet.
    pub fn found(id: WorkspaceId, name: Name, base_currency: Currency, at: Timestamp) -> Self {
        Self {
            id,
            name,
            description: None,
            base_currency,
            time_zone: TimeZone::utc(),
            settings: Settings::default(),
            trading_halt: None,
            risks_acknowledged: None,
            deleted_at: None,
            created_at: at,
            updated_at: at,
        }
    }

    /// Until when the workspace can be restored, once it is deleted.
    pub fn restorable_until(&self) -> Option<Timestamp> {
        self.deleted_at.map(|deleted| deleted.plus(RESTORABLE_FOR))
    }

    /// Returns the workspace deleted by a user who typed its name.
    ///
    /// # Errors
    /// [`DeletionError::Deleted`] or [`DeletionError::NameMismatch`].
    pub fn delete(self, confirmed: &Name, at: Timestamp) -> Result<Self, DeletionError> {
        if self.deleted_at.is_some() {
            return Err(DeletionError::Deleted);
        }
        if self.name != *confirmed {
            return Err(DeletionError::NameMismatch);
        }
        Ok(Self { deleted_at: Some(at), updated_at: at, ..self })
    }

    /// The workspace, standing again.
    ///
    /// # Errors
    /// [`DeletionError::NotDeleted`] or [`DeletionError::TooLate`].
    pub fn restore(self, at: Timestamp) -> Result<Self, DeletionError> {
        match self.restorable_until() {
            None => Err(DeletionError::NotDeleted),
            Some(until) if at >= until => Err(DeletionError::TooLate),
            Some(_) => Ok(Self { deleted_at: None, updated_at: at, ..self }),
        }
    }

    /// Returns the currency of money in the workspace: its own, whether the caller names it or not.
    ///
    /// # Errors
    /// [`OtherCurrency`] for another one.
    pub fn currency_of_money(&self, given: Option<Currency>) -> Result<Currency, OtherCurrency> {
        let base = self.base_currency;
        match given.filter(|given| *given != base) {
            Some(given) => Err(OtherCurrency { base, given }),
            None => Ok(base),
        }
    }

    /// The workspace after a change.
    #[must_use]
    pub fn change(self, change: WorkspaceChange, at: Timestamp) -> Self {
        let description = match change.description {
            None => self.description,
            Some(NewDescription::Empty) => None,
            Some(NewDescription::Text(text)) => Some(text),
        };
        Self {
            name: change.name.unwrap_or(self.name),
            description,
            time_zone: change.time_zone.unwrap_or(self.time_zone),
            settings: self.settings.change(change.settings),
            updated_at: at,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::seconds(seconds))
    }

    fn workspace() -> Workspace {
        Workspace::found(WorkspaceId::from_bytes([1; 16]), Name::new("Desk").unwrap(), Currency::USD, at(0))
    }

    #[test]
    fn a_halt_lasts_since_it_was_first_set_until_it_is_lifted() {
        let reason = |text: &str| crate::text::ReasonText::new(text).unwrap();
        let halted = workspace().halt_trading(reason("prices look wrong"), at(5)).halt_trading(reason("still"), at(9));
        let expected = TradingHalted { reason: reason("still"), since: at(5) };
        assert_eq!(halted.check_trading(), Err(expected));
        assert_eq!(halted.lift_halt(at(10)).check_trading(), Ok(()));
    }

    #[test]
    fn money_of_a_workspace_is_in_its_currency() {
        let euro = Currency::new("EUR").unwrap();
        assert_eq!(workspace().currency_of_money(None), Ok(Currency::USD));
        assert_eq!(workspace().currency_of_money(Some(Currency::USD)), Ok(Currency::USD));
        let refused = OtherCurrency { base: Currency::USD, given: euro };
        assert_eq!(workspace().currency_of_money(Some(euro)), Err(refused));
    }

    #[test]
    fn who_deletes_a_workspace_types_its_name() {
        let typed = |name| workspace().delete(&Name::new(name).unwrap(), at(1));
        assert_eq!(typed("desk"), Err(DeletionError::NameMismatch));
        let deleted = typed("Desk").unwrap();
        assert_eq!(deleted.deleted_at, Some(at(1)));
        assert_eq!(deleted.delete(&Name::new("Desk").unwrap(), at(2)), Err(DeletionError::Deleted));
    }

    #[test]
    fn a_deleted_workspace_can_be_restored_for_thirty_days() {
        assert_eq!(workspace().restore(at(1)), Err(DeletionError::NotDeleted));
        let deleted = workspace().delete(&Name::new("Desk").unwrap(), at(0)).unwrap();
        let day = 24 * 60 * 60;
        assert_eq!(deleted.clone().restore(at(30 * day - 1)).unwrap().deleted_at, None);
        assert_eq!(deleted.restore(at(30 * day)), Err(DeletionError::TooLate));
    }

    #[test]
    fn what_is_not_named_stays_and_a_description_can_be_taken_away() {
        let before = Workspace { description: Some(Description::new("Where we trade").unwrap()), ..workspace() };
        let renamed = WorkspaceChange { name: Some(Name::new("Floor").unwrap()), ..WorkspaceChange::default() };
        let after = before.clone().change(renamed, at(1));
        assert_eq!((after.name.as_str(), &after.description, after.updated_at), ("Floor", &before.description, at(1)));
        let emptied = WorkspaceChange { description: Some(NewDescription::Empty), ..WorkspaceChange::default() };
        assert_eq!(after.change(emptied, at(2)).description, None);
    }
}
