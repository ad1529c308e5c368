//! Every write of Steam's port with every fault of its route, before the platform acts and after it, by a process that goes on or that ends at any
//! of its calls. What a person asks for is done once or not at all, the record agrees with the platform, and nothing is given that no one has
//! asked for. Friends and chats have tables of their own (`adapters-steam`).

mod strikes;
mod table;

use tradepost_fakes::LedgerEntry;

use super::mortal::{Among, Death, End};
use strikes::Strike;
use table::{Row, Table};

/// More calls than any process makes until what was asked for is over, and more that change something.
const MOST_CALLS: u64 = 200;
const MOST_WRITES: u64 = 20;

/// A call of the port that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Write {
    Send,
    /// The answer to the confirmation of what was sent.
    Allow,
    Accept,
    Decline,
    Cancel,
    Deny,
    Renew,
}

impl Write {
    const ALL: [Self; 7] =
        [Self::Send, Self::Allow, Self::Accept, Self::Decline, Self::Cancel, Self::Deny, Self::Renew];

    const fn route(self) -> &'static str {
        match self {
            Self::Send => "POST /tradeoffer/new/send",
            Self::Accept => "POST /tradeoffer/{id}/accept",
            Self::Decline => "POST /tradeoffer/{id}/decline",
            Self::Cancel => "POST /tradeoffer/{id}/cancel",
            Self::Allow | Self::Deny => "GET /mobileconf/ajaxop",
            Self::Renew => "GET /IEconService/GetTradeOfferAccessToken/v1/",
        }
    }

    /// The card of the refusals that are known of it.
    const fn refusals(self) -> Option<&'static str> {
        match self {
            Self::Send => Some("steam-community.send.refused"),
            Self::Accept => Some("steam-community.accept.refused"),
            Self::Decline => Some("steam-community.decline.refused"),
            Self::Cancel => Some("steam-community.cancel.refused"),
            Self::Allow | Self::Deny => Some("steam-community.answer.refused"),
            Self::Renew => None,
        }
    }

    /// Whether it is never repeated once it may have had its effect. An answer to a confirmation is, until the platform shows its effect.
    const fn is_made_once(self) -> bool {
        match self {
            Self::Send | Self::Accept | Self::Decline | Self::Cancel | Self::Renew => true,
            Self::Allow | Self::Deny => false,
        }
    }

    /// Whether a request at the facades is this. A trade URL is replaced by the route by which it is read.
    fn is_call(self, entry: &LedgerEntry) -> bool {
        let is_route = entry.route == self.route();
        is_route && (self != Self::Renew || entry.query.contains("generate_new_token=true"))
    }
}

const fn end(among: Among, calls: u64, death: Death) -> Option<End> {
    Some(End { among, calls, death })
}

/// Tries a write with each fault, by a process that goes on and by one that ends at each of its writes; and without a fault by one that ends at
/// each of its calls.
async fn try_everything(write: Write) {
    let mut table = Table::open().await;
    let mut rows = 0;
    for strike in Strike::all_of(write, &table.desk.fakes) {
        table.run(&Row { write, strike: Some(strike.clone()), end: None }).await;
        for death in Death::BOTH {
            for calls in 0..MOST_WRITES {
                rows += 1;
                let end = end(Among::Writes, calls, death);
                if !table.run(&Row { write, strike: Some(strike.clone()), end }).await {
                    break;
                }
            }
        }
    }
    for death in Death::BOTH {
        for calls in 0..MOST_CALLS {
            rows += 1;
            if !table.run(&Row { write, strike: None, end: end(Among::Every, calls, death) }).await {
                break;
            }
        }
    }
    println!("{rows} rows");
    assert!(rows > 100, "only {rows} rows were tried");
    table.assert_given_on_request_alone().await;
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_or_whose_process_ends_is_made_once_at_most() {
    for write in Write::ALL {
        let mut table = Table::open().await;
        for strike in Strike::lost() {
            table.run(&Row { write, strike: Some(strike), end: None }).await;
        }
        // What is confirmed was sent before.
        let calls = u64::from(write == Write::Allow);
        for death in Death::BOTH {
            assert!(table.run(&Row { write, strike: None, end: end(Among::Writes, calls, death) }).await, "{write:?}");
        }
        table.assert_given_on_request_alone().await;
    }
}

/// Hundreds of rows of each write, minutes: `cargo xtask nightly` tries them.
mod long {
    use super::{Write, try_everything};

    #[tokio::test]
    async fn whatever_goes_wrong_an_offer_is_sent_once_at_most() {
        try_everything(Write::Send).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_what_was_sent_is_confirmed_or_cancelled() {
        try_everything(Write::Allow).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_an_offer_is_accepted_once_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Accept).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_an_offer_is_declined_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Decline).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_an_offer_is_cancelled_or_the_person_learns_that_it_was_not() {
        try_everything(Write::Cancel).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_confirmation_is_denied_or_waits_for_the_person() {
        try_everything(Write::Deny).await;
    }

    #[tokio::test]
    async fn whatever_goes_wrong_a_trade_address_is_replaced_once_at_most_and_the_valid_one_is_on_record() {
        try_everything(Write::Renew).await;
    }
}
