//! The page of a trade offer that an account has received, with the days for which the trade would be held.

use serde_json::json;
use tradepost_adapters_simulator::PlatformCall;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::{Hold, Offer, PlatformResult};

use super::cookie::signed_in;
use super::{failed, page};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;
use crate::steam_bearer::Bearer;

const SECONDS_OF_A_DAY: u32 = 86_400;
/// What is shown of an offer that is not there, was sent by the account, or has ended.
const ENDED: &str = "<h1>Sorry!</h1><div id=\"error_msg\">The trade offer is no longer valid.</div>";

pub(super) fn show(fakes: &Fakes, asked: &Asked) -> Reply {
    let Some(bearer) = signed_in(fakes, asked) else {
        let to_sign_in = format!("/login/?goto=tradeoffer%2F{}%2F", asked.segment);
        return Reply::of("steam-community.signed-out", 302, json!("")).with("location", to_sign_in);
    };
    let user = bearer.user.to_string();
    let hold = ExternalId::new(&asked.segment).ok().map(|id| hold_of(fakes, &bearer, id));
    match hold {
        Some(Ok(Some(hold))) => Reply::of("steam-community.offer-page", 200, page(&user, &days(hold))),
        Some(Ok(None) | Err(ExternalError::Rejected(_))) | None => {
            Reply::of("steam-community.offer-page.ended", 200, page(&user, ENDED))
        }
        Some(Err(error)) => failed(&error),
    }
}

/// How long the trade of an offer would be held; nothing of one that cannot be accepted.
fn hold_of(fakes: &Fakes, bearer: &Bearer, id: ExternalId) -> PlatformResult<Option<Hold>> {
    let offer: Offer = bearer.ask(fakes, PlatformCall::Offer { id: id.clone() })?;
    if offer.is_ours || offer.status != OfferStatus::Active {
        return Ok(None);
    }
    bearer.ask(fakes, PlatformCall::HoldOf { id }).map(Some)
}

/// The script of the page has whole days, each part of a day as one.
fn days(Hold { ours, theirs, both }: Hold) -> String {
    let [ours, theirs, both] = [ours, theirs, both].map(|seconds| seconds.div_ceil(SECONDS_OF_A_DAY));
    format!(
        "<script type=\"text/javascript\">var g_rgAppContextData = {{}};\nvar g_daysMyEscrow = {ours};\n\
         var g_daysTheirEscrow = {theirs};\nvar g_daysBothEscrow = {both};</script>"
    )
}
