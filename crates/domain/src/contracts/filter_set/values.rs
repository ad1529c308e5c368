//! The values of one rule: any one of them meets it.

use std::borrow::Borrow;
use std::ops::Deref;

/// Up to `MOST` values, each once, sorted, so that one is found without looking at all. None: nothing is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values<T, const MOST: usize = 500>(Box<[T]>);

/// Why values were refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValuesError<T> {
    /// More than the rule takes.
    #[error("must have at most {most} values")]
    TooMany {
        /// The most it takes.
        most: usize,
    },
    /// One is given twice.
    #[error("names {0} twice")]
    Twice(
        /// Which.
        T,
    ),
}

impl<T: Ord, const MOST: usize> Values<T, MOST> {
    /// Takes values in any order.
    ///
    /// # Errors
    /// [`ValuesError`] for too many, and for one that is given twice.
    pub fn new(mut values: Vec<T>) -> Result<Self, ValuesError<T>> {
        if values.len() > MOST {
            return Err(ValuesError::TooMany { most: MOST });
        }
        values.sort_unstable();
        match values.windows(2).position(|pair| matches!(pair, [one, next] if one == next)) {
            Some(twice) => Err(ValuesError::Twice(values.swap_remove(twice))),
            None => Ok(Self(values.into())),
        }
    }

    /// Whether the value is one of them.
    pub(super) fn have<Q: Ord + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.binary_search_by(|own| own.borrow().cmp(value)).is_ok()
    }
}

impl<T, const MOST: usize> Default for Values<T, MOST> {
    fn default() -> Self {
        Self(Box::default())
    }
}

impl<T, const MOST: usize> Deref for Values<T, MOST> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_in_order() {
        assert_eq!(Values::<u32>::new(vec![3, 1, 2]).map(|values| values.to_vec()), Ok(vec![1, 2, 3]));
    }

    #[test]
    fn a_value_is_given_once() {
        assert_eq!(Values::<u32>::new(vec![7, 1, 7]), Err(ValuesError::Twice(7)));
    }

    #[test]
    fn there_are_only_so_many_values() {
        assert!(Values::<u32, 2>::new(vec![1, 2]).is_ok());
        assert_eq!(Values::<u32, 2>::new(vec![1, 2, 3]), Err(ValuesError::TooMany { most: 2 }));
    }
}
