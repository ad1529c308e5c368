//! How calls to marketplaces and to the game platform fail: what is known of their effect decides what may be done next.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tradepost_domain::text::ExternalId;

/// As many pages as one reading takes at most.
const MOST_PAGES: usize = 1_000;

/// Why a call gave no answer that can be used. `R` are the refusals of the system that was called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExternalError<R> {
    /// It refused, and certainly did nothing.
    #[error("refused: {0}")]
    Rejected(R),
    /// It may have done what was asked or not: a timeout, a broken answer, a failure of its own. Read how things are before
    /// anything is asked again.
    #[error("nobody knows whether it was done: {0}")]
    Unknown(String),
    /// It limits how often it may be called.
    #[error("rate limited, to be called again in {} s", retry_after.as_secs())]
    RateLimited {
        /// How long it accepts no call.
        retry_after: Duration,
        /// What the call has done all the same.
        effect: Effect,
    },
    /// It does not know us: the session ended or the key was revoked.
    #[error("the session ended or the key was revoked")]
    AuthLost {
        /// What the call has done all the same.
        effect: Effect,
    },
}

/// What an answer that turns a call away says of the call's effect.
///
/// Few systems document whether they look at limits and sign-ins before they act, and answers of 429 that came after the act have
/// been seen. So an adapter answers a write with [`Effect::Unknown`] unless it knows better; a read has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The call certainly did nothing: it was a read, it was not sent, or the system is known to turn calls away before it acts.
    Nothing,
    /// The call may have done what was asked.
    Unknown,
}

impl<R> ExternalError<R> {
    /// Whether the call certainly did nothing. Of a write that may have had its effect, everything stays reserved until the outcome
    /// is known.
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

/// A part of what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items, in order.
    pub items: Vec<T>,
    /// What to ask for the next part with; nothing when this was the last.
    pub next: Option<ExternalId>,
}

/// What is read page by page until the end, each item as it was seen last.
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
    /// No page yet. The function returns an item's id.
    pub fn of(id: fn(&T) -> &ExternalId) -> Self {
        Self { id, items: Vec::new(), places: HashMap::new(), taken: 0, led_to: HashSet::new(), next: None }
    }

    /// What to ask for the next page with; nothing for the first.
    pub const fn after(&self) -> Option<&ExternalId> {
        self.next.as_ref()
    }

    /// Whether the last page was taken.
    pub const fn are_over(&self) -> bool {
        self.taken > 0 && self.next.is_none()
    }

    /// Takes a page.
    ///
    /// # Errors
    /// [`ExternalError::Unknown`] when the pages do not end: this one leads to one that was read, or it is the thousandth that leads on.
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

    /// All items, each as it was seen last.
    pub fn items(self) -> Vec<T> {
        self.items.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Something as it was at one time.
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
