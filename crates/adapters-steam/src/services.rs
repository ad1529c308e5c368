//! The services of Steam that are called: each with the limits of its kind of call, and with the reason why it is not called.

use std::sync::Arc;
use std::time::Duration;

use tradepost_adapters_outside::{
    Budget, ClientError, Egress, Question, Route, ServiceAnswer, ServiceClient, ServiceError, ServiceLimits,
    WritePermission,
};

use crate::addresses::Addresses;
use crate::routes::{
    ANSWER_ROUTES, API_ROUTES, CHAT_ROUTES, COMMUNITY_ROUTES, FRIEND_ROUTES, OFFER_ROUTES, TOKEN_ROUTES,
};

const MEBIBYTE: usize = 1024 * 1024;
const WINDOW: Duration = Duration::from_mins(5);
/// How long a call waits for its turn at most.
const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// How often and how long Steam is called. All accounts of a process share them, because Steam counts calls by the address that they come
/// from.
///
/// Steam documents no limits. `ArchiSteamFarm` spaces its calls (`GlobalConfig.cs` at e873397) by 300 ms between any two, and by 4 s between
/// inventories, which it reads from the community; of those of the API no one says a limit. No call waits longer for its turn than half of
/// what the engine waits for an answer (30 s): a later one would look like a platform that does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Calls that begin, follow, renew or end a session.
    pub sign_in: ServiceLimits,
    /// Reads of the API, except for inventories.
    pub reads: ServiceLimits,
    /// Reads of inventories, each of one page.
    pub inventories: ServiceLimits,
    /// Reads of community pages.
    pub community: ServiceLimits,
    /// Trade offers that are sent, accepted, declined or cancelled, and trade URLs that are replaced.
    pub offers: ServiceLimits,
    /// Answers to mobile confirmations.
    pub answers: ServiceLimits,
    /// Friends that are added, accepted, removed, blocked and unblocked.
    pub friends: ServiceLimits,
    /// Messages that are sent, and conversations that are marked as read.
    pub chats: ServiceLimits,
}

impl Default for Limits {
    fn default() -> Self {
        let usual = ServiceLimits {
            budget: Budget { calls: 900, window: WINDOW, gap: Duration::from_millis(300) },
            connect: Duration::from_secs(5),
            whole: Duration::from_secs(20),
            answer_bytes: 8 * MEBIBYTE,
            pause: Duration::from_mins(1),
            patience: LONGEST_WAIT,
        };
        // The engine begins sign-ins 10 s apart. The calls of one are closer: Steam wants a poll every 5 s while it waits, so that a smaller
        // budget would be spent by two that wait for their owners, and no token would be renewed.
        let sign_in = ServiceLimits {
            budget: Budget { calls: 150, window: WINDOW, gap: Duration::from_secs(2) },
            answer_bytes: MEBIBYTE,
            ..usual
        };
        // A page has up to 2,000 items of about 5 KB each with their descriptions.
        let inventories = ServiceLimits {
            budget: Budget { calls: 100, window: WINDOW, gap: Duration::from_secs(2) },
            answer_bytes: 32 * MEBIBYTE,
            ..usual
        };
        // A filter of its own answers 429 to some clients, whatever their pace. A longer pause keeps their calls few. A page is read once in
        // half an hour for an account, so that this is enough for 500 of them.
        let community = ServiceLimits {
            budget: Budget { calls: 100, window: WINDOW, gap: Duration::from_secs(1) },
            answer_bytes: 2 * MEBIBYTE,
            pause: Duration::from_mins(10),
            ..usual
        };
        // What changes an offer is rare, and a person waits for each. Each reads the offer before, so that its turn comes soon or not at all.
        let offers = ServiceLimits {
            budget: Budget { calls: 60, window: WINDOW, gap: Duration::from_secs(3) },
            patience: Duration::from_secs(5),
            ..community
        };
        // ArchiSteamFarm spaces calls about confirmations by 10 s over all accounts of an address, and has seen about 15 in a row refused
        // (its issue 728).
        let answers = ServiceLimits {
            budget: Budget { calls: 10, window: WINDOW, gap: Duration::from_secs(10) },
            patience: Duration::from_secs(10),
            ..community
        };
        // A person asks for each. Steam limits requests for friendship for a day or two, and names no number.
        let friends = ServiceLimits {
            budget: Budget { calls: 30, window: WINDOW, gap: Duration::from_secs(5) },
            patience: Duration::from_secs(5),
            ..community
        };
        let chats = ServiceLimits {
            budget: Budget { calls: 60, window: WINDOW, gap: Duration::from_secs(2) },
            answer_bytes: MEBIBYTE,
            patience: Duration::from_secs(5),
            ..usual
        };
        Self { sign_in, reads: usual, inventories, community, offers, answers, friends, chats }
    }
}

/// Why a call has no answer. No text of it holds an address, a header or a body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallFailed {
    /// The operator does not admit the host. Nothing was sent.
    #[error("it is not called: {0}")]
    NotCalled(String),
    /// The client has no answer.
    #[error("{0}")]
    Service(#[from] ServiceError),
}

/// The services of Steam. All tasks of a process share them, because they share their budgets.
#[derive(Debug, Clone)]
pub struct Services(Arc<Clients>);

/// A client, or the reason why there is none.
type Client = Result<ServiceClient, String>;

#[derive(Debug)]
struct Clients {
    sign_in: Client,
    reads: Client,
    inventories: Client,
    community: Client,
    offers: Client,
    answers: Client,
    tokens: Client,
    friends: Client,
    chats: Client,
}

impl Services {
    /// Services at addresses which are called only if the egress guard admits them.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up.
    pub fn connect(egress: &Egress, addresses: &Addresses, limits: Limits) -> Result<Self, ClientError> {
        let api = |limits| client(egress, &addresses.api, API_ROUTES, limits);
        let of_community = |routes, limits| client(egress, &addresses.community, routes, limits);
        Ok(Self(Arc::new(Clients {
            sign_in: api(limits.sign_in)?,
            reads: api(limits.reads)?,
            inventories: api(limits.inventories)?,
            community: of_community(COMMUNITY_ROUTES, limits.community)?,
            offers: of_community(OFFER_ROUTES, limits.offers)?,
            answers: of_community(ANSWER_ROUTES, limits.answers)?,
            tokens: client(egress, &addresses.api, TOKEN_ROUTES, limits.offers)?,
            friends: of_community(FRIEND_ROUTES, limits.friends)?,
            chats: client(egress, &addresses.api, CHAT_ROUTES, limits.chats)?,
        })))
    }

    /// Returns why Steam refuses this client, as the latest answers to calls of one kind show; of several kinds the first. No call is made.
    pub(crate) fn refusal(&self) -> Option<String> {
        let Clients { sign_in, reads, inventories, community, offers, answers, tokens, friends, chats } =
            self.0.as_ref();
        let all = [
            ("sign-ins and renewals", sign_in),
            ("reads", reads),
            ("inventories", inventories),
            ("community pages", community),
            ("sent and answered offers", offers),
            ("answered confirmations", answers),
            ("new trade URLs", tokens),
            ("changed friends", friends),
            ("sent messages", chats),
        ];
        all.into_iter().find_map(|(calls, client)| {
            let refused = client.as_ref().ok()?.refusal()?;
            Some(format!("{calls}: {refused}"))
        })
    }

    /// Makes a call that begins, follows, renews or ends a session.
    pub(crate) async fn sign_in(&self, question: Question<'_>) -> Result<ServiceAnswer, CallFailed> {
        ask(&self.0.sign_in, question).await
    }

    /// Reads from the API.
    pub(crate) async fn read(&self, question: Question<'_>) -> Result<ServiceAnswer, CallFailed> {
        ask(&self.0.reads, question).await
    }

    /// Reads a page of an inventory.
    pub(crate) async fn inventory(&self, question: Question<'_>) -> Result<ServiceAnswer, CallFailed> {
        ask(&self.0.inventories, question).await
    }

    /// Reads a community page.
    pub(crate) async fn community(&self, question: Question<'_>) -> Result<ServiceAnswer, CallFailed> {
        ask(&self.0.community, question).await
    }

    /// Sends, accepts, declines or cancels a trade offer.
    pub(crate) async fn offer(
        &self,
        permission: &WritePermission,
        question: Question<'_>,
    ) -> Result<ServiceAnswer, CallFailed> {
        write(&self.0.offers, permission, question).await
    }

    /// Answers a mobile confirmation.
    pub(crate) async fn answer(
        &self,
        permission: &WritePermission,
        question: Question<'_>,
    ) -> Result<ServiceAnswer, CallFailed> {
        write(&self.0.answers, permission, question).await
    }

    /// Replaces a trade URL.
    pub(crate) async fn renew(
        &self,
        permission: &WritePermission,
        question: Question<'_>,
    ) -> Result<ServiceAnswer, CallFailed> {
        write(&self.0.tokens, permission, question).await
    }

    /// Adds, accepts, removes, blocks or unblocks another account.
    pub(crate) async fn befriend(
        &self,
        permission: &WritePermission,
        question: Question<'_>,
    ) -> Result<ServiceAnswer, CallFailed> {
        write(&self.0.friends, permission, question).await
    }

    /// Sends a message, or marks a conversation as read.
    pub(crate) async fn chat(
        &self,
        permission: &WritePermission,
        question: Question<'_>,
    ) -> Result<ServiceAnswer, CallFailed> {
        write(&self.0.chats, permission, question).await
    }
}

fn client(
    egress: &Egress,
    address: &str,
    routes: &'static [Route],
    limits: ServiceLimits,
) -> Result<Client, ClientError> {
    match egress.admit(address) {
        Ok(address) => Ok(Ok(ServiceClient::new(address, routes, limits)?)),
        Err(refused) => Ok(Err(refused.to_string())),
    }
}

async fn ask(client: &Client, question: Question<'_>) -> Result<ServiceAnswer, CallFailed> {
    let client = client.as_ref().map_err(|why| CallFailed::NotCalled(why.clone()))?;
    Ok(client.ask(question).await?)
}

async fn write(
    client: &Client,
    permission: &WritePermission,
    question: Question<'_>,
) -> Result<ServiceAnswer, CallFailed> {
    let client = client.as_ref().map_err(|why| CallFailed::NotCalled(why.clone()))?;
    Ok(client.write(permission, question).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::{ADD_FRIEND, ANSWER, API_KEY_PAGE, NEW_TRADE_TOKEN, SAY, SEND, TIME};

    fn services(egress: &Egress) -> Services {
        Services::connect(egress, &Addresses::default(), Limits::default()).unwrap()
    }

    #[tokio::test]
    async fn a_host_that_the_operator_does_not_admit_is_not_called() {
        let services = services(&Egress::default());
        let reason = |host: &str| format!("{host} is a real host, and the setting outside.real is not true");
        let api = CallFailed::NotCalled(reason("api.steampowered.com"));
        assert_eq!(services.read(Question::of(TIME, &[])).await, Err(api.clone()));
        assert_eq!(services.sign_in(Question::of(TIME, &[])).await, Err(api.clone()));
        assert_eq!(services.inventory(Question::of(TIME, &[])).await, Err(api));
        let community = services.community(Question::of(API_KEY_PAGE, &[])).await;
        assert_eq!(community, Err(CallFailed::NotCalled(reason("steamcommunity.com"))));
    }

    #[tokio::test]
    async fn a_service_has_its_own_routes_alone() {
        let admitted = Egress::new(true, ["api.steampowered.com".to_owned(), "steamcommunity.com".to_owned()]);
        let services = services(&admitted);
        let not_listed = |route: Route| Err(CallFailed::Service(ServiceError::NotListed(route.path)));
        assert_eq!(services.read(Question::of(API_KEY_PAGE, &[])).await, not_listed(API_KEY_PAGE));
        assert_eq!(services.community(Question::of(TIME, &[])).await, not_listed(TIME));
        let permission = WritePermission::where_given(true).unwrap();
        assert_eq!(services.offer(&permission, Question::of(ANSWER, &[])).await, not_listed(ANSWER));
        assert_eq!(services.answer(&permission, Question::of(SEND, &[])).await, not_listed(SEND));
        assert_eq!(services.renew(&permission, Question::of(SEND, &[])).await, not_listed(SEND));
        assert_eq!(services.befriend(&permission, Question::of(SEND, &[])).await, not_listed(SEND));
        assert_eq!(services.chat(&permission, Question::of(ADD_FRIEND, &[])).await, not_listed(ADD_FRIEND));
        for route in [SEND, ANSWER, NEW_TRADE_TOKEN, ADD_FRIEND, SAY] {
            assert_eq!(services.read(Question::of(route, &[])).await, not_listed(route));
            assert_eq!(services.community(Question::of(route, &[])).await, not_listed(route));
        }
    }

    #[test]
    fn a_default_budget_cannot_be_spent_faster_than_its_gaps_allow() {
        let Limits { sign_in, reads, inventories, community, offers, answers, friends, chats } = Limits::default();
        for limits in [sign_in, reads, inventories, community, offers, answers, friends, chats] {
            assert!(limits.budget.gap >= Duration::from_millis(300), "{limits:?}");
            assert!(limits.patience >= limits.budget.gap, "{limits:?}");
        }
    }
}
