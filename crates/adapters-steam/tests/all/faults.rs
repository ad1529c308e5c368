//! Every fault of every route: what each call ends with, and that the next one works.

mod cards;
mod filter;
mod lost;
mod reads;
mod sessions;
mod social;
mod social_writes;
mod writes;

use std::fmt::Debug;
use std::time::Duration;

use tradepost_adapters_steam::Limits;
use tradepost_fakes::Fault;
use tradepost_ports::external::{Effect, ExternalError};

use crate::facades::MOST_BYTES;

/// The text of a refusal that no one has seen before.
const MESSAGE: &str = "a text that no one has seen before";

/// The reason for which an outcome is unknown. It never has an address.
fn unknown<R: Debug>(failed: &ExternalError<R>) -> &str {
    match failed {
        ExternalError::Unknown(text) => {
            assert!(!text.contains("127.0.0.1"), "{text}");
            text
        }
        ExternalError::Rejected(_) | ExternalError::RateLimited { .. } | ExternalError::AuthLost { .. } => {
            panic!("{failed:?}")
        }
    }
}

const fn limited<R>(retry_after: Duration, effect: Effect) -> ExternalError<R> {
    ExternalError::RateLimited { retry_after, effect }
}

const fn signed_out<R>() -> ExternalError<R> {
    ExternalError::AuthLost { effect: Effect::Nothing }
}

/// The time after which every service is called again, as if it had not been called before.
fn rest() -> Duration {
    let Limits { sign_in, reads, inventories, community, offers, answers, friends, chats } = Limits::default();
    let all = [sign_in, reads, inventories, community, offers, answers, friends, chats];
    let all = all.map(|limits| limits.pause.max(limits.budget.window));
    all.into_iter().max().unwrap()
}

/// The fault of an answer that is too long, and its text.
fn huge() -> (Fault, String) {
    (Fault::F08Huge { mib: 1 }, format!("its answer has more than {MOST_BYTES} bytes"))
}
