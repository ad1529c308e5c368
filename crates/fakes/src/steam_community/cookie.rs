//! The cookie by which an account is signed in.

use crate::facade::Asked;
use crate::state::Fakes;
use crate::steam_bearer::Bearer;

/// The cookie: the number of the account, two bars, and its access token.
const COOKIE: &str = "steamLoginSecure=";
const BARS: &str = "%7C%7C";

/// The cookie whose number a form repeats.
const SESSION: &str = "sessionid=";

/// The number of the session, which a form repeats.
pub(super) fn session(asked: &Asked) -> Option<&str> {
    asked.header("cookie").split(';').find_map(|cookie| cookie.trim().strip_prefix(SESSION))
}

/// The account of the cookie.
pub(super) fn signed_in(fakes: &Fakes, asked: &Asked) -> Option<Bearer> {
    let mut cookies = asked.header("cookie").split(';');
    let (user, token) = cookies.find_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.split_once(BARS))?;
    Bearer::read(token, fakes.now()).filter(|bearer| bearer.user.to_string() == user)
}
