//! How long Steam would hold the trade of an offer that the account has received. The page of the offer alone shows it: the token of its sender,
//! which the API asks for, is not in an offer.
//!
//! The page has the name of the sender and a message, too. So the beginnings of lines in its scripts count alone: no text of a person is there.

use tradepost_adapters_outside::{ServiceAnswer, answers};
use tradepost_domain::text::ExternalId;
use tradepost_ports::game_platform::{Hold, PlatformResult};

use crate::reading::{numbered, signed_out, unknown};
use crate::routes::OFFER_PAGE;
use crate::signed_in::{SignedIn, leads_to_sign_in};

/// What a line of a script has before the days of each side, and of both.
const OURS: &str = "g_daysMyEscrow = ";
const THEIRS: &str = "g_daysTheirEscrow = ";
const BOTH: &str = "g_daysBothEscrow = ";
/// What a script has for a visitor who is not signed in.
const VISITOR: &str = "g_steamID = false;";
const SECONDS_OF_A_DAY: u32 = 86_400;

/// Reads how long the trade of an offer would be held. The page of one that has ended, or that the account has sent, does not show it.
pub(crate) async fn hold_of(account: &SignedIn<'_>, id: &ExternalId) -> PlatformResult<Hold> {
    let id = numbered(id)?.to_string();
    read_hold(&account.read_page_of(OFFER_PAGE, &id, &[("l", "english")]).await?)
}

fn read_hold(answer: &ServiceAnswer) -> PlatformResult<Hold> {
    if leads_to_sign_in(answer) {
        return Err(signed_out());
    }
    answers::check_status(answer)?;
    let page = String::from_utf8_lossy(&answer.body);
    if script_lines(&page).any(|line| line.starts_with(VISITOR)) {
        return Err(signed_out());
    }
    let (Some(ours), Some(theirs)) = (seconds(&page, OURS), seconds(&page, THEIRS)) else {
        return Err(unknown("its page of the offer does not show how long the items would be held".to_owned()));
    };
    // Older pages have the days of each side alone.
    Ok(Hold { ours, theirs, both: seconds(&page, BOTH).unwrap_or_else(|| ours.max(theirs)) })
}

/// The days that follow a name in a script of the page, in seconds.
fn seconds(page: &str, name: &str) -> Option<u32> {
    let (days, _) = script_lines(page).find_map(|line| line.strip_prefix(name))?.split_once(';')?;
    days.trim().parse::<u32>().ok()?.checked_mul(SECONDS_OF_A_DAY)
}

/// The lines of the scripts in a page, without what declares a variable.
fn script_lines(page: &str) -> impl Iterator<Item = &str> {
    let scripts = page.split("<script").skip(1).filter_map(|rest| Some(rest.split_once('>')?.1));
    let lines = scripts.flat_map(|rest| rest.split("</script").next().unwrap_or_default().lines());
    lines.map(str::trim_start).map(|line| line.strip_prefix("var ").unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::tests::{answer_of, unknown_text};

    const DAY: u32 = SECONDS_OF_A_DAY;

    fn page(script: &str) -> ServiceAnswer {
        answer_of(None, &format!("<script>g_steamID = \"76561197960265729\";</script><script>{script}</script>"))
    }

    #[test]
    fn a_page_has_the_days_of_each_side_and_of_both() {
        let script = "var g_daysMyEscrow = 0;\nvar g_daysTheirEscrow = 15;\n\t\tvar g_daysBothEscrow = 15;";
        assert_eq!(read_hold(&page(script)), Ok(Hold { ours: 0, theirs: 15 * DAY, both: 15 * DAY }));
        let without_both = "var g_daysMyEscrow = 3;\ng_daysTheirEscrow = 1;";
        assert_eq!(read_hold(&page(without_both)), Ok(Hold { ours: 3 * DAY, theirs: DAY, both: 3 * DAY }));
    }

    #[test]
    fn a_page_without_the_days_of_both_sides_proves_nothing() {
        for script in ["", "var g_daysMyEscrow = 0;", "var g_daysMyEscrow = 0;\nvar g_daysTheirEscrow = none;"] {
            assert!(unknown_text(read_hold(&page(script))).starts_with("its page of the offer does not show"));
        }
    }

    #[test]
    fn a_text_of_the_sender_shows_no_hold_and_ends_no_session() {
        let said = "var g_daysMyEscrow = 0;\nvar g_daysTheirEscrow = 0;\ng_steamID = false;";
        let message = format!("<div class=\"quote\">{said}</div>");
        let named = "var g_strTradePartnerPersonaName = \"g_steamID = false; g_daysTheirEscrow = 0;\";";
        let signed_in = "<script>g_steamID = \"76561197960265729\";</script>";
        let page = |script: &str| format!("{signed_in}{message}<script>{script}</script>");
        let with = |script: &str| read_hold(&answer_of(None, &page(script)));
        let held = format!("{named}\nvar g_daysMyEscrow = 0;\nvar g_daysTheirEscrow = 15;");
        assert_eq!(with(&held), Ok(Hold { ours: 0, theirs: 15 * DAY, both: 15 * DAY }));
        assert!(unknown_text(with(named)).starts_with("its page of the offer does not show"));
    }

    #[test]
    fn a_page_for_a_visitor_ends_the_session() {
        let answer = answer_of(None, "<script type=\"text/javascript\">\n\tg_steamID = false;\n</script>");
        assert_eq!(read_hold(&answer), Err(signed_out()));
    }
}
