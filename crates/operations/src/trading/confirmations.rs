//! Confirmations of trading accounts: what the platform shows, what the engine does about it, and what people answer.

mod answer_confirmation;
pub(crate) mod confirmation_moves;
mod examine_confirmation;
mod follow_confirmations;
mod read;
mod record_confirmations;
mod refresh_confirmations;

pub use answer_confirmation::{ApproveConfirmation, DenyConfirmation};
pub use examine_confirmation::{ExamineConfirmation, ExaminedConfirmation, SaleReading};
pub use follow_confirmations::{
    BeginConfirmation, OpenConfirmations, PostponeConfirmation, RecordConfirmationOutcome, RefuseConfirmation,
    StoppedAccounts,
};
pub use read::*;
pub use record_confirmations::RecordConfirmations;
pub use refresh_confirmations::{
    ConfirmationLists, RecordConfirmationReading, RefreshConfirmations, RefuseConfirmationReading,
};
