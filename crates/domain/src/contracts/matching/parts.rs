//! Contracts under parts of names. A name is walked from each of its bytes on, along the parts that go on like it: mostly a
//! byte or two, whatever the number of parts.

use super::bucket::ContractBucket;

/// What is kept under the part that the bytes so far make, and where the next byte leads, in the order of the bytes. ASCII
/// letters are in lower case.
#[derive(Debug, Default)]
pub(super) struct Parts {
    here: ContractBucket,
    next: Vec<(u8, Self)>,
}

impl Parts {
    /// Changes what is kept under a part.
    pub(super) fn change(&mut self, part: &[u8], change: &impl Fn(&mut ContractBucket)) {
        let Some((first, rest)) = part.split_first() else { return change(&mut self.here) };
        let first = first.to_ascii_lowercase();
        let place = self.place_of(first).unwrap_or_else(|place| {
            self.next.insert(place, (first, Self::default()));
            place
        });
        if let Some((_, next)) = self.next.get_mut(place) {
            next.change(rest, change);
            if next.is_empty() {
                self.next.remove(place);
            }
        }
    }

    /// Visits what is kept under every part of a name.
    pub(super) fn visit<'a>(&'a self, name: &[u8], near: &mut impl FnMut(&'a ContractBucket)) {
        if self.next.is_empty() {
            return;
        }
        let mut rest = name;
        while let Some((_, shorter)) = rest.split_first() {
            let mut reached = self;
            for byte in rest {
                let Some(next) = reached.after(byte.to_ascii_lowercase()) else { break };
                if !next.here.is_empty() {
                    near(&next.here);
                }
                reached = next;
            }
            rest = shorter;
        }
    }

    fn after(&self, byte: u8) -> Option<&Self> {
        let place = self.place_of(byte).ok()?;
        self.next.get(place).map(|(_, next)| next)
    }

    fn place_of(&self, byte: u8) -> Result<usize, usize> {
        self.next.binary_search_by_key(&byte, |(own, _)| *own)
    }

    const fn is_empty(&self) -> bool {
        self.here.is_empty() && self.next.is_empty()
    }
}
