//! Failures of calls to marketplaces and to the game platform. The known effect of a call decides the next step.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tradepost_domain::text::ExternalId;

/// The most pages that one reading takes.
const MOST_PAGES: usize = 1_000;

/// The reason why a call gave no usable answer. `R` are the refusals of the system that was called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExternalError<R> {
    /// The system rejected the call, and certainly did nothing.
    #[error("refused: {0}")]
    Rejected(R),
    /// The call may or may not have had an effect: a timeout, a broken answer, a failure of the system. The caller reads the current state
    /// before it repeats the call.
    #[error("the outcome is unknown: {0}")]
    Unknown(String),
    /// The system limits the rate of calls.
    #[error("rate limited, to be called again in {} s", retry_after.as_secs())]
    RateLimited {
        /// The time in which it accepts no call.
        retry_after: Duration,
        /// The effect that the call had all the same.
        effect: Effect,
    },
    /// The system does not know us: the session ended or the key was revoked.
    #[error("the session ended or the key was revoked")]
    AuthLost {
        /// The effect that the call had all the same.
        effect: Effect,
    },
}

/// The effect of a call that the system turned away.
///
/// Few systems document whether they check limits and sign-ins before they act. Answers of 429 that came after the act have been observed.
/// So an adapter answers a write with [`Effect::Unknown`] unless it knows better; a read has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The call certainly did nothing: it was a read, it was not sent, or the system is known to turn calls away before it acts.
    Nothing,
    /// The call may have had its effect.
    Unknown,
}

impl<R> ExternalError<R> {
    /// Returns whether the call certainly did nothing. If a write may have had its effect, everything stays reserved until the outcome is
    /// known.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tradepost_ports::external::{Effect, ExternalError};
    ///
    /// let limited = |effect| ExternalError::<()>::RateLimited { retry_after: Duration::from_secs(30), effect };
    /// assert!(limited(Effect::Nothing).did_nothing());
    /// assert!(!limited(Effect::Unknown).did_nothing());
    /// ```
    pub const fn did_nothing(&self) -> bool {
        match self {
            Self::Rejected(_) => true,
            Self::Unknown(_) => false,
            Self::RateLimited { effect, .. } | Self::AuthLost { effect } => matches!(effect, Effect::Nothing),
        }
    }
}

/// One page of the requested items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items, in order.
    pub items: Vec<T>,
    /// The position of the next page; nothing when this was the last one.
    pub next: Option<ExternalId>,
}

/// Items that are read page by page until the end, each as it was last seen.
///
/// ```
/// use tradepost_domain::text::ExternalId;
/// use tradepost_ports::external::{ExternalError, Page, Pages};
///
/// let [one, two] = ["1", "2"].map(|text| ExternalId::new(text).unwrap());
/// let mut pages = Pages::of(|id: &ExternalId| id);
/// pages.take::<()>(Page { items: vec![one.clone()], next: Some(one.clone()) })?;
/// assert_eq!((pages.after(), pages.are_over()), (Some(&one), false));
/// pages.take::<()>(Page { items: vec![two.clone()], next: None })?;
/// assert!(pages.are_over());
/// assert_eq!(pages.items(), [one, two]);
/// # Ok::<(), ExternalError<()>>(())
/// ```
#[derive(Debug)]
pub struct Pages<T> {
    id: fn(&T) -> &ExternalId,
    items: Vec<Option<T>>,
    places: HashMap<ExternalId, usize>,
    taken: usize,
    led_to: HashSet<ExternalId>,
    next: Option<ExternalId>,
}

impl<T> Pages<T> {
    /// Starts without a page. The function returns an item's id.
    pub fn of(id: fn(&T) -> &ExternalId) -> Self {
        Self { id, items: Vec::new(), places: HashMap::new(), taken: 0, led_to: HashSet::new(), next: None }
    }

    /// Returns the position of the next page; nothing for the first page.
    pub const fn after(&self) -> Option<&ExternalId> {
        self.next.as_ref()
    }

    /// Returns whether the last page was taken.
    pub const fn are_over(&self) -> bool {
        self.taken > 0 && self.next.is_none()
    }

    /// Takes a page.
    ///
    /// # Errors
    /// [`ExternalError::Unknown`] when the pages do not end: this page leads to one that was read, or it is the thousandth that leads on.
    pub fn take<R>(&mut self, page: Page<T>) -> Result<(), ExternalError<R>> {
        self.taken += 1;
        let leads_back = page.next.clone().is_some_and(|next| !self.led_to.insert(next));
        if leads_back || (page.next.is_some() && self.taken >= MOST_PAGES) {
            return Err(ExternalError::Unknown(format!("the pages do not end: {} were read", self.taken)));
        }
        self.next = page.next;
        for item in page.items {
            let before = self.places.insert((self.id)(&item).clone(), self.items.len());
            if let Some(before) = before.and_then(|before| self.items.get_mut(before)) {
                *before = None;
            }
            self.items.push(Some(item));
        }
        Ok(())
    }

    /// Returns all items, each as it was last seen.
    pub fn items(self) -> Vec<T> {
        self.items.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An item as it was at one time.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Seen(ExternalId, u8);

    fn id(text: &str) -> ExternalId {
        ExternalId::new(text).unwrap()
    }

    fn page(items: &[(&str, u8)], next: Option<&str>) -> Page<Seen> {
        let items = items.iter().map(|(name, at)| Seen(id(name), *at)).collect();
        Page { items, next: next.map(id) }
    }

    #[test]
    fn what_changes_while_pages_are_read_counts_once_as_it_was_seen_last() {
        let mut pages = Pages::of(|seen: &Seen| &seen.0);
        pages.take::<()>(page(&[("a", 1), ("b", 1)], Some("b"))).unwrap();
        pages.take::<()>(page(&[("c", 1), ("a", 2)], None)).unwrap();
        assert_eq!(pages.items(), page(&[("b", 1), ("c", 1), ("a", 2)], None).items);
    }

    #[test]
    fn pages_that_lead_back_or_on_and_on_prove_nothing() {
        let mut circle = Pages::of(|seen: &Seen| &seen.0);
        circle.take::<()>(page(&[], Some("x"))).unwrap();
        circle.take::<()>(page(&[], Some("y"))).unwrap();
        assert!(matches!(circle.take::<()>(page(&[], Some("x"))), Err(ExternalError::Unknown(_))));
        let mut endless = Pages::of(|seen: &Seen| &seen.0);
        let ends = (0..MOST_PAGES).position(|number| endless.take::<()>(page(&[], Some(&number.to_string()))).is_err());
        assert_eq!(ends, Some(MOST_PAGES - 1));
    }
}
