//! How long Steam would hold a trade with a partner.

use tradepost_adapters_outside::{RequiredShape, ServiceAnswer};
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Hold, PlatformRefusal, PlatformResult};

use crate::reading::{Entry, NUMBER, OBJECT, needed, response};
use crate::routes::HOLDS;
use crate::signed_in::SignedIn;

const SHAPE: &[RequiredShape] = &[
    needed("$", OBJECT),
    needed("$.response", OBJECT),
    needed("$.response.my_escrow", OBJECT),
    needed("$.response.my_escrow.escrow_end_duration_seconds", NUMBER),
    needed("$.response.their_escrow", OBJECT),
    needed("$.response.their_escrow.escrow_end_duration_seconds", NUMBER),
    needed("$.response.both_escrow", OBJECT),
    needed("$.response.both_escrow.escrow_end_duration_seconds", NUMBER),
];

/// Reads how long a trade with a partner would be held. Steam shows nothing for a token that is not the partner's.
pub(crate) async fn hold_with(account: &SignedIn<'_>, partner: &TradeAddress) -> PlatformResult<Hold> {
    let user = partner.user.to_string();
    let query = [("steamid_target", user.as_str()), ("trade_offer_access_token", partner.token.as_str())];
    read_hold(&account.read(HOLDS, &query).await?)
}

fn read_hold(answer: &ServiceAnswer) -> PlatformResult<Hold> {
    let whole = response(answer, &[SHAPE])?.ok_or(ExternalError::Rejected(PlatformRefusal::PartnerRefused))?;
    let sides = Entry::of(&whole).object("response")?;
    let seconds = |side: &str| -> PlatformResult<u32> { sides.object(side)?.number("escrow_end_duration_seconds") };
    Ok(Hold { ours: seconds("my_escrow")?, theirs: seconds("their_escrow")?, both: seconds("both_escrow")? })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::reading::tests::{answer, answer_of, swapped, unknown_text};

    const DAY: u32 = 86_400;

    fn held(ours: u32, theirs: u32, both: u32) -> Value {
        let side = |seconds: u32| json!({ "escrow_end_duration_seconds": seconds });
        json!({ "my_escrow": side(ours), "their_escrow": side(theirs), "both_escrow": side(both) })
    }

    #[test]
    fn a_hold_has_the_seconds_of_each_side_and_of_both() {
        let content = held(0, 15 * DAY, 15 * DAY);
        let expected = Hold { ours: 0, theirs: 15 * DAY, both: 15 * DAY };
        assert_eq!(read_hold(&answer(&content)), Ok(expected));
        assert_eq!(read_hold(&answer(&swapped(&content))), Ok(expected));
        assert_eq!(read_hold(&answer(&held(0, 0, 0))), Ok(Hold::default()));
    }

    #[test]
    fn an_answer_without_content_is_of_an_address_that_reaches_no_partner() {
        let refused = Err(ExternalError::Rejected(PlatformRefusal::PartnerRefused));
        assert_eq!(read_hold(&answer(&json!({}))), refused);
        unknown_text(read_hold(&answer_of(None, r#"{"response":{}}"#)));
    }

    #[test]
    fn an_answer_of_which_a_side_is_missing_proves_nothing() {
        for side in ["my_escrow", "their_escrow", "both_escrow"] {
            let mut content = held(0, 0, 0);
            content[side] = json!({});
            let text = unknown_text(read_hold(&answer(&content)));
            assert!(text.starts_with("SHAPE_DRIFT: $.response."), "{text}");
        }
    }
}
