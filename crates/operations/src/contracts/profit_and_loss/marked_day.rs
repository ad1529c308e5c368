//! The day of which every mark of equity is taken, as this process knows it.

use std::sync::{Mutex, PoisonError};

/// The day of the real market of which this process has found every mark taken, so that it is not looked for again.
#[derive(Debug, Default)]
pub(crate) struct MarkedDay(Mutex<Option<i64>>);

impl MarkedDay {
    /// Returns whether it is this day.
    pub(crate) fn is(&self, day: i64) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) == Some(day)
    }

    /// Keeps this day.
    pub(crate) fn set(&self, day: i64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(day);
    }
}
