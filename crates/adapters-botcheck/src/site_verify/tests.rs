//! Verification at a service that answers as each test says.

mod fake_service;

use fake_service::{FakeService, Manner};
use serde_json::json;
use tokio::time::Instant;

use super::*;

const ACTION: &str = "add_email_credential";

fn settings(service: SiteVerifyService, url: String) -> SiteVerifySettings {
    SiteVerifySettings {
        service,
        url,
        secret: "site secret".into(),
        site_key: Some("site key".to_owned()),
        hostnames: vec!["trade.example.com".to_owned(), "app.example.com".to_owned()],
        timeout: SiteVerifySettings::TIMEOUT,
    }
}

fn check_at(service: SiteVerifyService, fake: &FakeService) -> SiteVerify {
    SiteVerify::new(settings(service, fake.url())).unwrap()
}

/// What Turnstile's check says, when the service behaves like this, one manner a question.
async fn turnstile<const N: usize>(manners: [Manner; N]) -> (Result<(), BotCheckError>, FakeService) {
    let fake = FakeService::start(manners).await;
    let checked = check_at(SiteVerifyService::Turnstile, &fake).check("token".into(), ACTION, None).await;
    (checked, fake)
}

fn yes() -> Manner {
    Manner::Answer(200, json!({ "success": true, "hostname": "trade.example.com", "action": ACTION }).to_string())
}

fn no(error_code: &str) -> Manner {
    Manner::Answer(200, json!({ "success": false, "error-codes": [error_code] }).to_string())
}

fn is_unavailable(checked: &Result<(), BotCheckError>) -> bool {
    matches!(checked, Err(BotCheckError::Unavailable(_)))
}

#[tokio::test]
async fn a_good_token_passes() {
    assert_eq!(turnstile([yes()]).await.0, Ok(()));
}

#[tokio::test]
async fn the_service_receives_secret_token_address_and_idempotency_key() {
    let fake = FakeService::start([yes()]).await;
    let client = Some("192.0.2.7".parse().unwrap());
    check_at(SiteVerifyService::Turnstile, &fake).check("token".into(), ACTION, client).await.unwrap();
    let [question] = fake.questions().try_into().unwrap();
    assert_eq!(question["secret"], "site secret");
    assert_eq!(question["response"], "token");
    assert_eq!(question["remoteip"], "192.0.2.7");
    assert!(uuid::Uuid::try_parse(&question["idempotency_key"]).is_ok());
}

#[tokio::test]
async fn an_address_that_is_not_known_is_left_out() {
    let (_, fake) = turnstile([yes()]).await;
    assert!(!fake.questions()[0].contains_key("remoteip"));
}

#[tokio::test]
async fn any_listed_host_passes_in_any_case() {
    let answer = json!({ "success": true, "hostname": "APP.example.com", "action": ACTION });
    assert_eq!(turnstile([Manner::Answer(200, answer.to_string())]).await.0, Ok(()));
}

#[tokio::test]
async fn a_no_is_a_refusal_and_is_not_asked_again() {
    let (checked, fake) = turnstile([no("timeout-or-duplicate"), yes()]).await;
    assert_eq!(checked, Err(BotCheckError::Refused));
    assert_eq!(fake.questions().len(), 1);
}

#[tokio::test]
async fn a_no_with_a_client_error_is_a_refusal() {
    let answer = json!({ "success": false, "error-codes": ["invalid-input-response"] });
    assert_eq!(turnstile([Manner::Answer(400, answer.to_string())]).await.0, Err(BotCheckError::Refused));
}

#[tokio::test]
async fn a_token_of_another_site_or_action_is_refused() {
    for answer in [
        json!({ "success": true, "hostname": "evil.example.com", "action": ACTION }),
        json!({ "success": true, "hostname": "trade.example.com", "action": "other" }),
        json!({ "success": true, "hostname": "trade.example.com" }),
        json!({ "success": true, "action": ACTION }),
        json!({ "success": true }),
    ] {
        let (checked, _) = turnstile([Manner::Answer(200, answer.to_string())]).await;
        assert_eq!(checked, Err(BotCheckError::Refused), "{answer}");
    }
}

#[tokio::test]
async fn hcaptcha_has_neither_action_nor_idempotency_key() {
    let answer = json!({ "success": true, "hostname": "trade.example.com" }).to_string();
    let fake = FakeService::start([Manner::Answer(200, answer)]).await;
    let checked = check_at(SiteVerifyService::HCaptcha, &fake).check("token".into(), ACTION, None).await;
    assert_eq!(checked, Ok(()));
    assert!(!fake.questions()[0].contains_key("idempotency_key"));
}

#[tokio::test]
async fn a_wrong_secret_is_our_fault_and_named() {
    let (checked, _) = turnstile([no("invalid-input-secret")]).await;
    assert_eq!(checked, Err(BotCheckError::Unavailable("invalid-input-secret".to_owned())));
}

#[tokio::test]
async fn an_error_of_the_server_is_asked_once_more_under_the_same_key() {
    let (checked, fake) = turnstile([Manner::Answer(500, String::new()), yes()]).await;
    assert_eq!(checked, Ok(()));
    let [first, second] = fake.questions().try_into().unwrap();
    assert_eq!(first, second);
}

#[tokio::test]
async fn each_check_has_a_key_of_its_own() {
    let fake = FakeService::start([yes(), yes()]).await;
    let check = check_at(SiteVerifyService::Turnstile, &fake);
    for _ in 0..2 {
        check.check("token".into(), ACTION, None).await.unwrap();
    }
    let [first, second] = fake.questions().try_into().unwrap();
    assert_ne!(first["idempotency_key"], second["idempotency_key"]);
}

#[tokio::test]
async fn two_errors_of_the_server_are_an_outage() {
    let error = || Manner::Answer(503, String::new());
    let (checked, fake) = turnstile([error(), error(), yes()]).await;
    assert!(is_unavailable(&checked), "{checked:?}");
    assert_eq!(fake.questions().len(), 2);
}

#[tokio::test]
async fn answers_without_sense_are_an_outage() {
    let yes_with_an_error = json!({ "success": true, "hostname": "trade.example.com", "action": ACTION }).to_string();
    for manner in [
        Manner::Answer(200, "<html>welcome</html>".to_owned()),
        Manner::Answer(200, String::new()),
        Manner::Answer(200, "{}".to_owned()),
        Manner::Answer(200, "[true]".to_owned()),
        Manner::Answer(200, format!("{}true", " ".repeat(100_000))),
        Manner::Answer(404, "not here".to_owned()),
        Manner::Answer(403, yes_with_an_error),
    ] {
        let (checked, fake) = turnstile([manner]).await;
        assert!(is_unavailable(&checked), "{checked:?}");
        assert_eq!(fake.questions().len(), 1);
    }
}

#[tokio::test]
async fn a_redirection_is_not_followed() {
    let elsewhere = FakeService::start([yes()]).await;
    let (checked, _) = turnstile([Manner::Redirect(elsewhere.url())]).await;
    assert!(is_unavailable(&checked), "{checked:?}");
    assert_eq!(elsewhere.questions().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_service_that_never_answers_is_given_up_after_twice_three_seconds() {
    let begun = Instant::now();
    let (checked, _) = turnstile([Manner::Silence, Manner::Silence]).await;
    assert!(is_unavailable(&checked), "{checked:?}");
    assert_eq!(begun.elapsed().as_secs(), 6);
}

#[tokio::test]
async fn a_service_that_is_not_there_is_an_outage() {
    let fake = FakeService::start([yes()]).await.stop().await;
    let checked = check_at(SiteVerifyService::Turnstile, &fake).check("token".into(), ACTION, None).await;
    assert!(is_unavailable(&checked), "{checked:?}");
}

#[tokio::test]
async fn a_token_that_can_be_none_is_refused_without_asking() {
    let fake = FakeService::start([yes()]).await;
    let check = check_at(SiteVerifyService::Turnstile, &fake);
    for token in [String::new(), "t".repeat(2_049)] {
        assert_eq!(check.check(token.into(), ACTION, None).await, Err(BotCheckError::Refused));
    }
    assert_eq!(fake.questions().len(), 0);
    assert_eq!(check.check("t".repeat(2_048).into(), ACTION, None).await, Ok(()));
}

#[test]
fn settings_that_could_never_pass_are_refused() {
    let with = |url: &str, hostnames: &[&str]| {
        let mut settings = settings(SiteVerifyService::Turnstile, url.to_owned());
        settings.hostnames = hostnames.iter().map(|&hostname| hostname.to_owned()).collect();
        SiteVerify::new(settings).err()
    };
    let url = SiteVerifyService::Turnstile.url();
    assert_eq!(with(url, &[]), Some(InvalidSiteVerifySettings::NoHostnames));
    assert!(matches!(with("siteverify", &["example.com"]), Some(InvalidSiteVerifySettings::Url { .. })));
    assert!(matches!(with("ftp://example.com", &["example.com"]), Some(InvalidSiteVerifySettings::Url { .. })));
    for service in [SiteVerifyService::Turnstile, SiteVerifyService::HCaptcha] {
        assert_eq!(with(service.url(), &["example.com"]), None);
    }
}

#[test]
fn debug_output_of_the_settings_holds_no_secret() {
    let settings = settings(SiteVerifyService::Turnstile, SiteVerifyService::Turnstile.url().to_owned());
    assert!(!format!("{settings:?}").contains("site secret"));
}

#[test]
fn the_widget_of_a_page_has_the_site_key_and_never_the_secret() {
    for (service, kind) in
        [(SiteVerifyService::Turnstile, WidgetKind::Turnstile), (SiteVerifyService::HCaptcha, WidgetKind::HCaptcha)]
    {
        let check = SiteVerify::new(settings(service, service.url().to_owned())).unwrap();
        assert_eq!(check.widget(), Widget { kind, site_key: Some("site key".to_owned()) });
    }
}
