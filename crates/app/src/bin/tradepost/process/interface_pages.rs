//! `/openapi.json` and `/docs`: the description of the interface, and a viewer of it. Both are part of the binary, and the pages load
//! nothing from other hosts.

use std::sync::Arc;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName};
use axum::routing::get;
use tradepost::embedded::{EmbeddedFile, ServedFile};

/// The viewer draws its arrows as `data:` images, and its script sets styles by itself without inline sources.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 4] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (CACHE_CONTROL, "no-cache"),
];

macro_rules! embedded {
    ($path:literal, $content_type:literal, $name:literal) => {
        EmbeddedFile {
            path: $path,
            content_type: $content_type,
            gzipped: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz")),
        }
    };
}

const FILES: [EmbeddedFile; 8] = [
    embedded!("/openapi.json", "application/json", "openapi.json"),
    embedded!("/docs", "text/html; charset=utf-8", "index.html"),
    embedded!("/docs/start.js", "text/javascript; charset=utf-8", "start.js"),
    embedded!("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8", "swagger-ui-bundle.js"),
    embedded!("/docs/swagger-ui.css", "text/css; charset=utf-8", "swagger-ui.css"),
    embedded!("/docs/favicon-32x32.png", "image/png", "favicon-32x32.png"),
    embedded!("/docs/LICENSE", "text/plain; charset=utf-8", "LICENSE"),
    embedded!("/docs/NOTICE", "text/plain; charset=utf-8", "NOTICE"),
];

/// The pages.
pub(crate) fn pages() -> Router {
    FILES.into_iter().fold(Router::new(), |router, file| {
        let page = Arc::new(ServedFile::of(file));
        router.route(file.path, get(async move |headers: HeaderMap| page.answer(&headers, &HEADERS)))
    })
}
