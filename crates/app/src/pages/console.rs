//! The console: its files, and its document for the addresses of its pages. It answers in front of the interface, so it is exact about what
//! is its own: a mistyped path of an operation stays an error of the interface.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::extract::Request;
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::response::Response;

use crate::embedded::{EmbeddedFile, ServedFile, listed};

/// Loads nothing from other hosts, and runs no source that is in the document. The component library adds one style element, which is named by
/// its hash. The script makes no HTML of text (Trusted Types).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' \
                      'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='; font-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";
const PERMISSIONS: &str = "publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), \
                           geolocation=(), payment=(), usb=()";

const SAFE: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
];

/// The document, which is served at the addresses of pages and not at its own.
const DOCUMENT: &str = "/index.html";
/// Files below have the hash of their content in their names.
const HASHED: &str = "/assets/";

const BUILT: &[EmbeddedFile] = &include!(concat!(env!("OUT_DIR"), "/console.rs"));

static FILES: LazyLock<HashMap<&str, ServedFile>> =
    LazyLock::new(|| BUILT.iter().map(|file| (file.path, ServedFile::of(*file))).collect());

/// The answer to a request for a file or a page of the console.
pub(crate) fn answer(request: &Request) -> Option<Response> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let (path, headers) = (request.uri().path(), request.headers());
    let file = if is_page(path, headers) { DOCUMENT } else { Some(path).filter(|path| *path != DOCUMENT)? };
    let mut answer = FILES.get(file)?.answer(headers, &SAFE);
    answer.headers_mut().insert(CACHE_CONTROL, kept(file));
    Some(answer)
}

/// Whether a browser shows a page at this address. No page has a dot in its address, and every operation and every file does.
fn is_page(path: &str, headers: &HeaderMap) -> bool {
    let takes_html =
        listed(headers, &ACCEPT).any(|member| member.split(';').next().map(str::trim) == Some("text/html"));
    takes_html && !path.contains('.')
}

/// How long browsers keep a file.
fn kept(file: &str) -> HeaderValue {
    let kept = if file.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    HeaderValue::from_static(kept)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    fn ask(method: &str, path: &str, accept: Option<&str>) -> Option<Response> {
        let request = Request::builder().method(method).uri(path);
        let request = accept.into_iter().fold(request, |request, accept| request.header(ACCEPT, accept));
        answer(&request.body(Body::empty()).unwrap())
    }

    fn header(answer: &Response, name: impl axum::http::header::AsHeaderName) -> &str {
        answer.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[test]
    fn a_browser_gets_the_document_at_the_address_of_every_page() {
        for path in ["/", "/items", "/items/AZq2Zb-_1", "/contracts/?status=ACTIVE"] {
            for method in ["GET", "HEAD"] {
                let answer = ask(method, path, Some(BROWSER)).unwrap();
                assert_eq!(header(&answer, "content-type"), "text/html; charset=utf-8", "{path}");
                assert_eq!(header(&answer, "cache-control"), "no-cache", "{path}");
            }
        }
    }

    #[test]
    fn everything_else_stays_with_the_interface() {
        for (method, path, accept) in [
            ("GET", "/", None),
            ("GET", "/", Some("*/*")),
            ("GET", "/", Some("application/json")),
            ("GET", "/", Some("text/htmlx")),
            ("POST", "/", Some(BROWSER)),
            ("OPTIONS", "/", Some(BROWSER)),
            ("GET", "/accounts.v1.Accounts/Nope", Some(BROWSER)),
            ("GET", "/accounts.v1.Accounts/GetWorkspace", Some(BROWSER)),
            ("GET", "/grpc.health.v1.Health/Check", Some(BROWSER)),
            ("GET", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", Some(BROWSER)),
            ("GET", "/assets/nothing.js", Some(BROWSER)),
            ("GET", "/index.html", None),
            ("GET", "/index.html", Some(BROWSER)),
            ("GET", "/favicon.ico", Some(BROWSER)),
            ("GET", "/.env", Some(BROWSER)),
            ("GET", "/assets/../index.html", None),
        ] {
            assert!(ask(method, path, accept).is_none(), "{method} {path} {accept:?}");
        }
    }

    #[test]
    fn every_file_is_served_with_the_headers_that_keep_a_page_safe() {
        for file in BUILT.iter().filter(|file| file.path != DOCUMENT) {
            let answer = ask("GET", file.path, None).unwrap();
            for (name, value) in &SAFE {
                assert_eq!(header(&answer, name), *value, "{}", file.path);
            }
            assert_eq!(header(&answer, "cache-control").contains("immutable"), file.path.starts_with(HASHED));
        }
        assert!(BUILT.iter().any(|file| file.path.starts_with(HASHED)));
    }

    #[test]
    fn the_policy_allows_no_source_in_a_document_and_no_other_host() {
        for forbidden in ["unsafe", "http:", "https:", "*", "blob:", "nonce"] {
            assert!(!POLICY.contains(forbidden), "{forbidden}");
        }
    }

    #[test]
    fn the_document_names_only_files_that_are_there_and_has_no_script_of_its_own() {
        let file = BUILT.iter().find(|file| file.path == DOCUMENT).unwrap();
        let mut html = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file.gzipped), &mut html).unwrap();
        let named = [" src=\"", "<link "].map(|begin| html.split(begin).skip(1).collect::<Vec<_>>());
        let of_links = named[1].iter().map(|link| link.split_once("href=\"").unwrap().1);
        for named in named[0].iter().copied().chain(of_links) {
            let path = named.split('"').next().unwrap();
            assert!(BUILT.iter().any(|file| file.path == path), "{path}");
        }
        assert!(!html.contains("<script>") && !html.contains("style=\"") && !html.contains("<style"), "{html}");
    }
}
