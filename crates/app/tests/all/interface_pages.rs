//! `/openapi.json` and `/docs`, as a browser and other tools get them: from this server alone.

use std::io::Read as _;

use flate2::read::GzDecoder;
use reqwest::header::{ACCEPT_ENCODING, IF_NONE_MATCH};
use reqwest::{Client, Response};
use serde_json::Value;
use tradepost_operations::rules::RULES;

use crate::command::{Place, Server, verbatim_client};

const DESCRIPTION: &str = include_str!("../../../../docs/openapi.json");

async fn get(server: &Server, path: &str) -> Response {
    reqwest::get(format!("{}{path}", server.url())).await.unwrap()
}

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// The values of an attribute in a page.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let begin = format!(" {attribute}=\"");
    html.split(&begin).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn the_description_has_every_operation_of_the_interface() {
    let place = Place::new();
    let server = place.serve(&[]);
    let answer = get(&server, "/openapi.json").await;
    assert_eq!((answer.status().as_u16(), header(&answer, "content-type")), (200, "application/json"));
    let text = answer.text().await.unwrap();
    assert!(text == DESCRIPTION, "it differs from docs/openapi.json");
    let description: Value = serde_json::from_str(&text).unwrap();
    let paths = description["paths"].as_object().unwrap();
    // Those that change nothing are there with GET as well.
    assert_eq!(paths.values().filter(|path| path.get("post").is_some()).count(), RULES.len());
}

#[tokio::test]
async fn a_description_that_is_known_is_not_sent_again_and_gzip_is_on_request() {
    let place = Place::new();
    let server = place.serve(&[]);
    let request = verbatim_client().get(format!("{}/openapi.json", server.url())).header(ACCEPT_ENCODING, "br, gzip");
    let answer = request.try_clone().unwrap().send().await.unwrap();
    assert_eq!(header(&answer, "content-encoding"), "gzip");
    assert_eq!((header(&answer, "cache-control"), header(&answer, "vary")), ("no-cache", "accept-encoding"));
    let tag = header(&answer, "etag").to_owned();
    let mut text = String::new();
    GzDecoder::new(&answer.bytes().await.unwrap()[..]).read_to_string(&mut text).unwrap();
    assert!(text == DESCRIPTION, "it differs from docs/openapi.json");

    let again = request.header(IF_NONE_MATCH, tag).send().await.unwrap();
    assert_eq!(again.status().as_u16(), 304);
    assert_eq!(again.bytes().await.unwrap().len(), 0);
}

#[tokio::test]
async fn the_viewer_loads_everything_from_the_same_server() {
    let place = Place::new();
    let server = place.serve(&[]);
    let answer = get(&server, "/docs").await;
    assert_eq!(header(&answer, "content-type"), "text/html; charset=utf-8");
    let html = answer.text().await.unwrap();
    let links = [values(&html, "href"), values(&html, "src")].concat();
    assert_eq!(links.len(), 5, "{links:?}");
    for link in links.iter().chain(&["docs/LICENSE", "docs/NOTICE"]) {
        assert!(!link.contains(':') && !link.starts_with('/'), "{link}");
        let answer = get(&server, &format!("/{link}")).await;
        assert_eq!(answer.status().as_u16(), 200, "{link}");
        assert!(!answer.bytes().await.unwrap().is_empty(), "{link}");
    }
    let script = get(&server, "/docs/start.js").await.text().await.unwrap();
    assert!(script.contains("url: \"openapi.json\"") && !script.contains("://"), "{script}");
}

#[tokio::test]
async fn the_pages_of_the_interface_may_load_nothing_from_elsewhere() {
    let place = Place::new();
    let server = place.serve(&[]);
    for path in ["/docs", "/docs/start.js", "/docs/swagger-ui-bundle.js", "/openapi.json"] {
        let answer = get(&server, path).await;
        assert_eq!(
            header(&answer, "content-security-policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "{path}"
        );
        assert_eq!(header(&answer, "x-content-type-options"), "nosniff", "{path}");
    }
}

#[tokio::test]
async fn a_page_under_another_name_is_not_shown_to_a_browser() {
    let place = Place::new();
    let server = place.serve(&[]);
    let request = Client::new().get(format!("{}/docs", server.url())).header("host", "rebound.example.com");
    assert_eq!(request.send().await.unwrap().status().as_u16(), 403);
}
