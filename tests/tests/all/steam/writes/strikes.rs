//! What goes wrong with a write: on the wire, before the platform acts and after it, in its answer alone, or in the world.

use tradepost_adapters_simulator::{Fault as WorldFault, Side};
use tradepost_fakes::{Fakes, Fault, FaultRule};

use super::Write;

/// The seconds in which the platform answers nothing.
const OUTAGE: u32 = 150;

/// What goes wrong.
#[derive(Debug, Clone)]
pub(super) enum Strike {
    /// With the next call of the route.
    Wire(Fault),
    /// In the world.
    World(WorldFault),
}

/// Faults by the numbers of the catalogue. The others are of reads, of sign-ins or of marketplaces, or are in no call: [`in_the_world`] has those
/// of confirmations. An answer that stalls (F08) ends as one that never begins, after a time that only the client counts.
fn on_the_wire() -> Vec<Fault> {
    let error = |status| Fault::F05 { status };
    let number = |eresult| Fault::F12 { eresult };
    vec![
        Fault::F01 { retry_after_seconds: 60 },
        Fault::F02,
        error(500),
        error(502),
        error(503),
        Fault::F06,
        Fault::F07 { bytes: 0 },
        Fault::F07 { bytes: 100 },
        Fault::F08Huge { mib: 1 },
        Fault::F08Truncated,
        Fault::F08WrongGzip,
        Fault::F09 { status: 302 },
        Fault::F09 { status: 401 },
        Fault::F10,
        Fault::F11 { message: "a text that no one has seen before".to_owned() },
        number(2),
        number(11),
        number(16),
        number(20),
        number(28),
        number(84),
        Fault::F13,
        Fault::F18,
        Fault::F32,
        Fault::Drift,
    ]
}

/// Refusals in words of a form about an offer, whose numbers prove nothing. Those with the other numbers come before the act, as the samples of
/// cards have them.
fn in_words(write: Write) -> Vec<Fault> {
    match write {
        Write::Send | Write::Accept | Write::Decline | Write::Cancel => {
            [2, 11, 16, 20, 28, 84].map(|number| Fault::F12Words { number }).into()
        }
        Write::Allow | Write::Deny | Write::Renew | Write::Social(_) => Vec::new(),
    }
}

/// Faults of the world that last, or that are about the confirmation of what was sent.
fn in_the_world(write: Write) -> Vec<WorldFault> {
    let mut faults = vec![
        WorldFault::RateLimitStorm { side: Side::Platform, seconds: OUTAGE },
        WorldFault::SessionLost { side: Side::Platform, seconds: OUTAGE },
    ];
    if matches!(write, Write::Send) {
        faults.push(WorldFault::LostConfirmation);
    }
    faults
}

impl Strike {
    /// Every fault of a write: on the wire twice, and each refusal that is known of its route.
    pub(super) fn all_of(write: Write, fakes: &Fakes) -> Vec<Self> {
        let wire = on_the_wire().into_iter().chain(in_words(write));
        let wire = wire.flat_map(|fault| [fault.clone().before(), fault]);
        let card = write.refusals().and_then(|id| fakes.facts().card(id).ok());
        let refusals = card.into_iter().flat_map(|card| {
            (0..card.samples.len()).map(move |number| Fault::Sample { card: card.id.clone(), number })
        });
        let of_wire = wire.chain(refusals).map(Self::Wire);
        of_wire.chain(in_the_world(write).into_iter().map(Self::World)).collect()
    }

    /// An answer that never comes, before the platform acts and after it.
    pub(super) fn lost() -> [Self; 2] {
        let lost = Fault::F07 { bytes: 0 };
        [Self::Wire(lost.clone().before()), Self::Wire(lost)]
    }

    /// Lets it happen to the next call of a write.
    pub(super) fn arm(&self, write: Write, fakes: &Fakes) {
        match self {
            Self::Wire(fault) => fakes.arm(vec![FaultRule::next(write.route(), fault.clone())]),
            Self::World(fault) => fakes.simulator().world(|world| world.inject(fault.clone())),
        }
    }

    /// Whether it lasts for minutes.
    pub(super) const fn lasts(&self) -> bool {
        matches!(self, Self::World(_))
    }
}
