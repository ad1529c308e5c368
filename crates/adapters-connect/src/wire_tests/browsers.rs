//! Pages of the server with a session in a cookie, and hostile requests for each rule that keeps it.

use std::collections::BTreeMap;

use connectrpc::{ConnectError, RequestContext, Router, handler_fn};
use serde_json::{Value, json};
use tradepost_proto::contracts::v1::{GetPurchaseRequest, GetPurchaseResponse};
use tradepost_testkit::fakes::{FakeLinking, FakePasskeys, FakeTotp};
use tradepost_testkit::samples::start;

use super::client::{Answer, Ask, CONNECT, GRPC, GRPC_WEB, Wire};
use super::interface::methods;
use super::probe;
use super::world::World;
use crate::browser::SETS_COOKIES;
use crate::handlers::SESSION_ANSWERS;
use crate::server::protocols;
use crate::{Transport, TransportSettings};

const USER: &str = "/accounts.v1.Accounts/GetCurrentUser";
const SIGN_IN: &str = "/accounts.v1.Accounts/SignIn";

fn credentials() -> Value {
    json!({ "email": "owner@example.com", "password": "copper lantern under seven bridges" })
}

/// A browser with a page of the server, which keeps cookies as browsers do.
#[derive(Default)]
struct Page {
    jar: BTreeMap<String, String>,
}

impl Page {
    async fn signed_in(world: &World) -> Self {
        let mut page = Self::default();
        let answer = page.call(world, "SignIn", &credentials()).await;
        assert_eq!(answer.status, 200, "{}", answer.show());
        page
    }

    fn cookies(&self) -> String {
        self.jar.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    /// A call as a script of the page makes it.
    fn ask(&self, world: &World, path: &str, body: &Value) -> Ask {
        let ask = Ask::json(path, body.to_string()).header("tradepost-session", "cookie");
        ask.header("origin", world.wire.origin())
            .header("sec-fetch-site", "same-origin")
            .header("cookie", &self.cookies())
    }

    async fn call(&mut self, world: &World, method: &str, body: &Value) -> Answer {
        let ask = self.ask(world, &format!("/accounts.v1.Accounts/{method}"), body);
        self.send(world, &ask).await
    }

    async fn send(&mut self, world: &World, ask: &Ask) -> Answer {
        let answer = world.wire.ask(CONNECT, ask).await;
        for set in answer.headers("set-cookie") {
            let (pair, attributes) = set.split_once("; ").unwrap();
            assert!(attributes.starts_with("Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age="), "{set}");
            let (name, value) = pair.split_once('=').unwrap();
            assert!(name.starts_with("__Host-tp"), "{set}");
            if set.ends_with("; Max-Age=0") {
                self.jar.remove(name);
            } else {
                self.jar.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }
}

/// A field of an answer that succeeded.
fn text(answer: &Answer, field: &str) -> String {
    assert_eq!(answer.status, 200, "{}", answer.show());
    answer.json()[field].as_str().unwrap().to_owned()
}

fn refusal(answer: &Answer) -> (u16, Option<&str>) {
    (answer.status, answer.header("x-error-reason"))
}

const REFUSED: (u16, Option<&str>) = (403, Some("ORIGIN_REFUSED"));
const STRANGER: (u16, Option<&str>) = (401, Some("UNAUTHENTICATED"));

#[tokio::test]
async fn a_page_signs_in_without_seeing_its_token_and_out_again() {
    let world = World::new().await;
    let info = Page::default().call(&world, "GetServerInfo", &json!({})).await;
    let mut page = Page::default();
    let answer = page.call(&world, "SignIn", &credentials()).await;
    let (name, token) = page.jar.first_key_value().unwrap();
    assert_eq!(name, &text(&info, "sessionCookie"));
    assert!(token.starts_with("tps_") && !String::from_utf8_lossy(answer.body()).contains(token.as_str()));
    assert_eq!(text(&answer, "sessionToken"), "");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let life: u64 = answer.header("set-cookie").unwrap().rsplit_once('=').unwrap().1.parse().unwrap();
    assert_eq!(life, 24 * 60 * 60);
    assert_eq!(page.call(&world, "GetCurrentUser", &json!({})).await.status, 200);
    assert_eq!(page.call(&world, "SignOut", &json!({})).await.status, 200);
    assert!(page.jar.is_empty(), "{:?}", page.jar);
}

#[tokio::test]
async fn a_program_gets_its_token_and_no_cookie_whatever_cookies_it_sends() {
    let world = World::new().await;
    let page = Page::signed_in(&world).await;
    let ask = Ask::json(SIGN_IN, credentials().to_string()).header("cookie", &page.cookies());
    let answer = world.wire.ask(CONNECT, &ask).await;
    assert!(text(&answer, "sessionToken").starts_with("tps_"));
    assert_eq!(answer.header("set-cookie"), None);
    let with_cookie_alone = Ask::json(USER, "{}").header("cookie", &page.cookies());
    for ask in [with_cookie_alone.clone(), with_cookie_alone.header("origin", world.wire.origin())] {
        assert_eq!(refusal(&world.wire.ask(CONNECT, &ask).await), STRANGER);
    }
}

#[tokio::test]
async fn a_stolen_device_token_opens_nothing_without_the_password() {
    let world = World::new().await;
    let mut page = Page::default();
    let stolen = text(&page.call(&world, "SignIn", &credentials()).await, "deviceToken");
    assert!(!stolen.is_empty());
    let mut thief = Page::default();
    let guess =
        json!({ "email": "owner@example.com", "password": "seven bridges under lanterns", "deviceToken": stolen });
    let refused = thief.call(&world, "SignIn", &guess).await;
    assert_eq!(refusal(&refused), (401, Some("WRONG_CREDENTIALS")), "{}", refused.show());
    assert!(thief.jar.is_empty(), "{:?}", thief.jar);
    // Nor does it open anything in the place of a session's token, in a cookie or in a header.
    let name = page.jar.first_key_value().unwrap().0;
    thief.jar.insert(name.clone(), stolen.clone());
    assert_eq!(refusal(&thief.call(&world, "GetCurrentUser", &json!({})).await), STRANGER);
    let answer = world.wire.ask(CONNECT, &Ask::json(USER, "{}").with_key(&stolen)).await;
    assert_eq!(refusal(&answer), STRANGER, "{}", answer.show());
}

/// Requests of pages that are not of the server, and of programs. Each has the header and the cookie.
fn hostile(world: &World, path: &str, body: &Value, cookies: &str) -> Vec<Ask> {
    let bare = || Ask::json(path, body.to_string()).header("tradepost-session", "cookie").header("cookie", cookies);
    let origin = world.wire.origin();
    let other_port = format!("{}1", origin.replace("127.0.0.1", "localhost"));
    let mut hostile = vec![bare(), bare().header("origin", origin).header("origin", origin)];
    for foreign in
        ["https://evil.example", "null", "", &other_port, &format!("{origin}.evil.example"), "http://localhost"]
    {
        hostile.push(bare().header("origin", foreign));
        // The browser of an attacker cannot be made to say so, and a request that says it gains nothing.
        hostile.push(bare().header("origin", foreign).header("sec-fetch-site", "same-origin"));
    }
    for site in ["cross-site", "same-site", "none", ""] {
        hostile.push(bare().header("origin", origin).header("sec-fetch-site", site));
    }
    for form in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"] {
        hostile.push(bare().header("origin", origin).content_type(Some(form)));
    }
    hostile.push(bare().header("origin", origin).content_type(None));
    hostile
}

#[tokio::test]
async fn a_request_of_a_foreign_page_is_refused_with_the_cookie_and_at_sign_in() {
    let world = World::new().await;
    let page = Page::signed_in(&world).await;
    for (path, body) in [(USER, json!({})), (SIGN_IN, credentials())] {
        for ask in hostile(&world, path, &body, &page.cookies()) {
            let answer = world.wire.send(CONNECT, &ask).await;
            assert_eq!(refusal(&answer), REFUSED, "{}", answer.show());
            assert_eq!(answer.header("set-cookie"), None);
        }
    }
}

#[tokio::test]
async fn a_cookie_opens_nothing_by_get_and_by_other_protocols() {
    let world = World::new().await;
    let page = Page::signed_in(&world).await;
    let query = format!("{USER}?connect=v1&encoding=json&message=%7B%7D");
    for content_type in [None, Some("application/json")] {
        let ask = page.ask(&world, &query, &json!({})).method("GET").content_type(content_type);
        assert_eq!(refusal(&world.wire.send(CONNECT, &ask).await), REFUSED);
    }
    for protocol in [GRPC, GRPC_WEB] {
        let answer = world.wire.ask(protocol, &page.ask(&world, USER, &json!({}))).await;
        assert_eq!(answer.grpc_code(), 7, "{}", answer.show());
    }
}

#[tokio::test]
async fn a_name_that_was_rebound_to_this_machine_opens_nothing() {
    let world = World::new().await;
    let page = Page::signed_in(&world).await;
    let ask = Ask::json(USER, "{}").header("tradepost-session", "cookie").header("cookie", &page.cookies());
    let rebound = ask.header("host", "evil.example").header("origin", "http://evil.example");
    assert_eq!(refusal(&world.wire.ask(CONNECT, &rebound).await), (403, Some("HOST_REFUSED")));
}

#[tokio::test]
async fn a_browser_is_not_allowed_to_ask_from_elsewhere() {
    let world = World::new().await;
    for origin in ["https://evil.example", world.wire.origin()] {
        let preflight = Ask::json(USER, "").method("OPTIONS").content_type(None).header("origin", origin);
        let preflight = preflight.header("access-control-request-method", "POST");
        let answer =
            world.wire.send(CONNECT, &preflight.header("access-control-request-headers", "tradepost-session")).await;
        assert_eq!(answer.status, 405);
        assert!(!answer.show().contains("access-control"), "{}", answer.show());
    }
}

#[tokio::test]
async fn a_credential_in_two_places_and_another_value_of_the_header_are_invalid() {
    let world = World::new().await;
    let page = Page::signed_in(&world).await;
    let ask = page.ask(&world, USER, &json!({}));
    let twice = ask.clone().header("tradepost-session", "cookie");
    let other = Ask::json(USER, "{}").header("tradepost-session", "Cookie");
    for ask in [ask.with_key(&world.key), twice, other] {
        assert_eq!(refusal(&world.wire.ask(CONNECT, &ask).await), (400, Some("INVALID_FIELD")));
    }
}

#[tokio::test]
async fn a_second_cookie_of_the_name_counts_as_none() {
    let world = World::new().await;
    let page = Page::signed_in(&world).await;
    let (name, token) = page.jar.first_key_value().unwrap();
    let tossed = page.ask(&world, USER, &json!({})).header("cookie", &format!("{name}={token}x"));
    assert_eq!(refusal(&world.wire.ask(CONNECT, &tossed).await), STRANGER);
}

#[tokio::test]
async fn no_handler_sees_a_cookie() {
    let settings = TransportSettings::default();
    let handler = handler_fn(async |context: RequestContext, _: GetPurchaseRequest| {
        if context.headers().contains_key("cookie") {
            return Err(ConnectError::internal("a cookie"));
        }
        connectrpc::Response::ok(GetPurchaseResponse::default())
    });
    let router = Router::new().route("contracts.v1.Contracts", "GetPurchase", handler);
    let wire = Wire::serve(Transport::host(protocols(router, &settings), Vec::new(), probe::names(), &settings)).await;
    let ask = Ask::json(probe::READ, "{}").header("cookie", "a=b").header("origin", wire.origin());
    for ask in [ask.clone(), ask.header("tradepost-session", "cookie")] {
        let answer = wire.ask(CONNECT, &ask).await;
        assert_eq!(answer.status, 200, "{}", answer.show());
    }
}

#[test]
fn every_answer_with_a_session_token_goes_through_the_function_that_hides_it() {
    let mut found = Vec::new();
    for method in methods().iter().filter(|method| method.output().get_field_by_name("session_token").is_some()) {
        assert!(SETS_COOKIES.contains(&method.name()), "{}", method.name());
        found.push(method.output().full_name().to_owned());
    }
    found.sort();
    assert_eq!(found, SESSION_ANSWERS);
}

/// The owner enrols an authenticator app; returns a recovery code.
async fn enrol_app(world: &World, page: &mut Page) -> String {
    step_up(world, page).await;
    let offered = page.call(world, "BeginTOTPEnrollment", &json!({})).await;
    let code = FakeTotp::code(&[1; 20], start());
    let confirm = json!({ "enrollmentId": text(&offered, "enrollmentId"), "code": code });
    let codes = page.call(world, "ConfirmTOTPEnrollment", &confirm).await.json();
    codes["recoveryCodes"][0].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_second_factor_completes_a_sign_in_of_a_page_without_showing_the_token() {
    let world = World::new().await;
    let code = enrol_app(&world, &mut Page::signed_in(&world).await).await;
    let mut page = Page::default();
    let asked = page.call(&world, "SignIn", &credentials()).await;
    assert!(page.jar.is_empty(), "{:?}", page.jar);
    let challenge = text(&asked, "challengeId");
    let complete = json!({ "challengeId": challenge, "method": "TWO_FACTOR_METHOD_RECOVERY_CODE", "code": code });
    let answer = page.call(&world, "CompleteSignIn", &complete).await;
    assert_eq!(text(&answer, "sessionToken"), "");
    assert_eq!(page.call(&world, "GetCurrentUser", &json!({})).await.status, 200);
}

#[tokio::test]
async fn a_passkey_signs_a_page_in_without_showing_the_token() {
    let world = World::new().await;
    let mut page = Page::signed_in(&world).await;
    let user =
        page.call(&world, "GetCurrentUser", &json!({})).await.json()["user"]["id"].as_str().unwrap().parse().unwrap();
    step_up(&world, &mut page).await;
    let begun = page.call(&world, "BeginPasskeyRegistration", &json!({ "name": "laptop" })).await;
    let options = text(&begun, "options");
    let credential = FakePasskeys::answer(&options);
    let kept = page.call(&world, "FinishPasskeyRegistration", &json!({ "credential": credential })).await;
    assert_eq!(kept.status, 200, "{}", kept.show());
    let mut page = Page::default();
    let asked = page.call(&world, "BeginPasskeySignIn", &json!({})).await;
    let proof = FakePasskeys::proof(&text(&asked, "options"), options.as_bytes(), 1);
    let finish =
        json!({ "challengeId": text(&asked, "challengeId"), "credential": FakePasskeys::proof_of(user, &proof) });
    let answer = page.call(&world, "FinishPasskeySignIn", &finish).await;
    assert_eq!(text(&answer, "sessionToken"), "");
    assert_eq!(page.call(&world, "GetCurrentUser", &json!({})).await.status, 200);
}

/// Steps up by the code that is mailed.
async fn step_up(world: &World, page: &mut Page) -> Answer {
    let asked = page.call(world, "BeginStepUp", &json!({})).await;
    while world.operations.hand_over_mails().await.unwrap() {}
    let mail = world.mailer.sent().pop().unwrap().text;
    let code = mail.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 8).unwrap();
    let answer =
        json!({ "challengeId": text(&asked, "challengeId"), "method": "TWO_FACTOR_METHOD_EMAIL", "code": code });
    page.call(world, "CompleteStepUp", &answer).await
}

#[tokio::test]
async fn a_step_up_replaces_the_cookie_and_signs_no_other_tab_out() {
    let world = World::new().await;
    let mut page = Page::signed_in(&world).await;
    // What another tab had sent before it shares the new cookie.
    let sent_before = page.ask(&world, USER, &json!({}));
    let before = page.jar.clone();
    let done = step_up(&world, &mut page).await;
    assert_eq!(text(&done, "sessionToken"), "");
    assert_ne!(page.jar, before);
    let late = page.send(&world, &sent_before).await;
    assert_eq!((refusal(&late), late.header("set-cookie")), (STRANGER, None));
    assert_eq!(page.call(&world, "GetCurrentUser", &json!({})).await.status, 200);
}

#[tokio::test]
async fn an_idempotency_key_is_refused_where_the_answer_sets_a_cookie() {
    let world = World::new().await;
    let page = Page::signed_in(&world).await;
    for method in SETS_COOKIES {
        let ask =
            page.ask(&world, &format!("/accounts.v1.Accounts/{method}"), &json!({})).header("idempotency-key", "k");
        let answer = world.wire.ask(CONNECT, &ask).await;
        assert_eq!(refusal(&answer), (400, Some("INVALID_FIELD")), "{method}: {}", answer.show());
    }
}

#[tokio::test]
async fn an_answer_is_kept_under_the_token_in_the_cookie() {
    let world = World::new().await;
    let mut page = Page::signed_in(&world).await;
    let path = "/accounts.v1.Accounts/CreateWorkspace";
    let ask = |page: &Page| page.ask(&world, path, &json!({ "name": "Second desk" })).header("idempotency-key", "k");
    let first = world.wire.ask(CONNECT, &ask(&page)).await;
    let again = world.wire.ask(CONNECT, &ask(&page)).await;
    assert_eq!((first.status, again.header("idempotency-replayed")), (200, Some("true")), "{}", again.show());
    assert_eq!(first.body(), again.body());
    step_up(&world, &mut page).await;
    // The same session asks with the same body and holds another token, under which the kept answer does not open.
    let later = world.wire.ask(CONNECT, &ask(&page)).await;
    assert_eq!(refusal(&later), (400, Some("IDEMPOTENCY_ANSWER_GONE")), "{}", later.show());
}

#[tokio::test]
async fn a_linked_sign_in_ends_only_in_the_browser_that_began_it() {
    let world = World::new().await;
    let (mut attacker, mut victim) = (Page::default(), Page::default());
    let begin = json!({ "provider": "LINK_PROVIDER_DISCORD", "redirectUri": FakeLinking::REDIRECT });
    let asked = attacker.call(&world, "BeginLinkedSignIn", &begin).await;
    let finish = json!({
        "linkId": text(&asked, "linkId"),
        "state": FakeLinking::state_of(&text(&asked, "authorizationUrl")),
        "code": FakeLinking::code_of("the attacker"),
    });
    let refused = victim.call(&world, "FinishLinkedSignIn", &finish).await;
    assert_eq!((refusal(&refused), victim.jar.len()), ((400, Some("LINK_INVALID")), 0), "{}", refused.show());
    victim.call(&world, "BeginLinkedSignIn", &begin).await;
    assert_eq!(refusal(&victim.call(&world, "FinishLinkedSignIn", &finish).await), (400, Some("LINK_INVALID")));
    let answer = attacker.call(&world, "FinishLinkedSignIn", &finish).await;
    assert_eq!(text(&answer, "sessionToken"), "");
    assert_eq!(attacker.jar.len(), 1, "the cookie of the sign-in is cleared: {:?}", attacker.jar);
    assert_eq!(attacker.call(&world, "GetCurrentUser", &json!({})).await.status, 200);
}

#[tokio::test]
async fn no_foreign_page_embeds_an_answer_of_any_kind() {
    let pages = axum::Router::new().route("/livez", axum::routing::get(async || "alive"));
    let wire = Wire::serve(probe::transport().with_pages(pages)).await;
    for (path, method) in [(probe::READ, "POST"), (probe::FAIL, "POST"), ("/nothing", "GET"), ("/livez", "GET")] {
        let answer = wire.send(CONNECT, &Ask::json(path, "{}").method(method)).await;
        assert_eq!(answer.headers("cross-origin-resource-policy"), ["same-origin"], "{path}");
        assert_eq!(answer.headers("x-content-type-options"), ["nosniff"], "{path}");
    }
}
