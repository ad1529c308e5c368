//! The routes of Steam that the driver calls. Those that change anything but the session of an account are in tables of their own, and are called
//! with a permission alone: that of a person to give, or the record of what a person asked for.

use tradepost_adapters_outside::Route;

pub(crate) const GET_KEY: Route = Route::get("/IAuthenticationService/GetPasswordRSAPublicKey/v1/");
pub(crate) const BEGIN: Route = Route::sign_in("/IAuthenticationService/BeginAuthSessionViaCredentials/v1/");
pub(crate) const GIVE_CODE: Route = Route::sign_in("/IAuthenticationService/UpdateAuthSessionWithSteamGuardCode/v1/");
pub(crate) const POLL: Route = Route::sign_in("/IAuthenticationService/PollAuthSessionStatus/v1/");
pub(crate) const GENERATE: Route = Route::sign_in("/IAuthenticationService/GenerateAccessTokenForApp/v1/");
pub(crate) const REVOKE: Route = Route::sign_in("/IAuthenticationService/RevokeToken/v1/");
pub(crate) const TIME: Route = Route::read_by_post("/ITwoFactorService/QueryTime/v1/");
pub(crate) const AUTHENTICATOR: Route = Route::read_by_post("/ITwoFactorService/QueryStatus/v1/");
pub(crate) const INVENTORY: Route = Route::get("/IEconService/GetInventoryItemsWithDescriptions/v1/");
pub(crate) const OFFERS: Route = Route::get("/IEconService/GetTradeOffers/v1/");
pub(crate) const OFFER: Route = Route::get("/IEconService/GetTradeOffer/v1/");
pub(crate) const TRADE: Route = Route::get("/IEconService/GetTradeStatus/v1/");
pub(crate) const TRADES: Route = Route::get("/IEconService/GetTradeHistory/v1/");
pub(crate) const HOLDS: Route = Route::get("/IEconService/GetTradeHoldDurations/v1/");
pub(crate) const TRADE_TOKEN: Route = Route::get("/IEconService/GetTradeOfferAccessToken/v1/");
pub(crate) const BANS: Route = Route::get("/ISteamUser/GetPlayerBans/v1/");
pub(crate) const FRIENDS: Route = Route::get("/IFriendsListService/GetFriendsList/v1/");
pub(crate) const CONVERSATIONS: Route = Route::get("/IFriendMessagesService/GetActiveMessageSessions/v1/");
pub(crate) const MESSAGES: Route = Route::get("/IFriendMessagesService/GetRecentMessages/v1/");
pub(crate) const API_KEY_PAGE: Route = Route::get("/dev/apikey");
pub(crate) const CONFIRMATIONS: Route = Route::get("/mobileconf/getlist");
/// The page of an offer that was received.
pub(crate) const OFFER_PAGE: Route = Route::get("/tradeoffer/{id}/");

pub(crate) const SEND: Route = Route::write("/tradeoffer/new/send");
pub(crate) const ACCEPT: Route = Route::write("/tradeoffer/{id}/accept");
pub(crate) const DECLINE: Route = Route::write("/tradeoffer/{id}/decline");
pub(crate) const CANCEL: Route = Route::write("/tradeoffer/{id}/cancel");
pub(crate) const ANSWER: Route = Route::write_by_get("/mobileconf/ajaxop");
/// The route of the trade token, asked for a new one.
pub(crate) const NEW_TRADE_TOKEN: Route = Route::write_by_get(TRADE_TOKEN.path);
/// Asks for friendship, and accepts a request.
pub(crate) const ADD_FRIEND: Route = Route::write("/actions/AddFriendAjax");
/// Ends a friendship, and withdraws a request.
pub(crate) const REMOVE_FRIEND: Route = Route::write("/actions/RemoveFriendAjax");
/// Declines a request.
pub(crate) const IGNORE_REQUEST: Route = Route::write("/actions/IgnoreFriendInviteAjax");
/// Blocks an account, and blocks it no longer.
pub(crate) const BLOCK: Route = Route::write("/actions/BlockUserAjax");
pub(crate) const SAY: Route = Route::write("/IFriendMessagesService/SendMessage/v1/");
pub(crate) const MARK_READ: Route = Route::write("/IFriendMessagesService/AckMessage/v1/");

/// The routes of the API.
pub(crate) const API_ROUTES: &[Route] = &[
    GET_KEY,
    BEGIN,
    GIVE_CODE,
    POLL,
    GENERATE,
    REVOKE,
    TIME,
    AUTHENTICATOR,
    INVENTORY,
    OFFERS,
    OFFER,
    TRADE,
    TRADES,
    HOLDS,
    TRADE_TOKEN,
    BANS,
    FRIENDS,
    CONVERSATIONS,
    MESSAGES,
];

/// The routes of the community pages.
pub(crate) const COMMUNITY_ROUTES: &[Route] = &[API_KEY_PAGE, CONFIRMATIONS, OFFER_PAGE];

/// The routes of the community that change trade offers.
pub(crate) const OFFER_ROUTES: &[Route] = &[SEND, ACCEPT, DECLINE, CANCEL];

/// The route of the community that answers a mobile confirmation.
pub(crate) const ANSWER_ROUTES: &[Route] = &[ANSWER];

/// The route of the API that replaces a trade URL.
pub(crate) const TOKEN_ROUTES: &[Route] = &[NEW_TRADE_TOKEN];

/// The routes of the community that change friends.
pub(crate) const FRIEND_ROUTES: &[Route] = &[ADD_FRIEND, REMOVE_FRIEND, IGNORE_REQUEST, BLOCK];

/// The routes of the API that change chats.
pub(crate) const CHAT_ROUTES: &[Route] = &[SAY, MARK_READ];

#[cfg(test)]
mod tests {
    use tradepost_adapters_outside::Access;

    use super::*;

    #[test]
    fn a_client_that_reads_has_no_route_that_writes() {
        let all = [API_ROUTES, COMMUNITY_ROUTES].concat();
        let (signing_in, others): (Vec<Route>, Vec<Route>) =
            all.into_iter().partition(|route| route.access == Access::SignIn);
        assert_eq!(signing_in, [BEGIN, GIVE_CODE, POLL, GENERATE, REVOKE]);
        assert!(others.iter().all(|route| route.access == Access::Read), "{others:?}");
    }

    #[test]
    fn a_client_that_writes_has_routes_that_need_a_permission_and_no_others() {
        let giving = [OFFER_ROUTES, ANSWER_ROUTES, TOKEN_ROUTES].concat();
        assert_eq!(giving, [SEND, ACCEPT, DECLINE, CANCEL, ANSWER, NEW_TRADE_TOKEN]);
        let social = [FRIEND_ROUTES, CHAT_ROUTES].concat();
        assert!(social.iter().all(|route| !giving.contains(route)), "friends and chats give nothing");
        let all = [giving, social].concat();
        assert!(all.iter().all(|route| route.access == Access::Write), "{all:?}");
    }
}
