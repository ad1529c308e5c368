//! `/openapi.json` and `/docs`: the description of the interface, and a viewer of it. Both are part of the binary, and the pages load
//! nothing from other hosts.

use std::io::{self, Read as _};
use std::sync::{Arc, OnceLock};

use aws_lc_rs::digest::{SHA256, digest};
use axum::Router;
use axum::body::Bytes;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;

/// The viewer draws its arrows as `data:` images, and its script sets styles by itself without inline sources.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the binary, as the build script compressed it.
struct Embedded {
    path: &'static str,
    content_type: &'static str,
    gzipped: &'static [u8],
}

macro_rules! gzipped {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz"))
    };
}

const FILES: [Embedded; 8] = [
    Embedded { path: "/openapi.json", content_type: "application/json", gzipped: gzipped!("openapi.json") },
    Embedded { path: "/docs", content_type: "text/html; charset=utf-8", gzipped: gzipped!("index.html") },
    Embedded { path: "/docs/start.js", content_type: "text/javascript; charset=utf-8", gzipped: gzipped!("start.js") },
    Embedded {
        path: "/docs/swagger-ui-bundle.js",
        content_type: "text/javascript; charset=utf-8",
        gzipped: gzipped!("swagger-ui-bundle.js"),
    },
    Embedded {
        path: "/docs/swagger-ui.css",
        content_type: "text/css; charset=utf-8",
        gzipped: gzipped!("swagger-ui.css"),
    },
    Embedded { path: "/docs/favicon-32x32.png", content_type: "image/png", gzipped: gzipped!("favicon-32x32.png") },
    Embedded { path: "/docs/LICENSE", content_type: "text/plain; charset=utf-8", gzipped: gzipped!("LICENSE") },
    Embedded { path: "/docs/NOTICE", content_type: "text/plain; charset=utf-8", gzipped: gzipped!("NOTICE") },
];

/// A file that is served.
struct Page {
    file: Embedded,
    tag: String,
    /// For clients without gzip, from the first of them on.
    plain: OnceLock<io::Result<Bytes>>,
}

/// The pages.
pub(crate) fn pages() -> Router {
    FILES.into_iter().fold(Router::new(), |router, file| {
        let path = file.path;
        let page = Arc::new(Page::of(file));
        router.route(path, get(async move |headers: HeaderMap| page.answer(&headers)))
    })
}

impl Page {
    fn of(file: Embedded) -> Self {
        // Weak, because the compressed form and the plain one share it.
        let tag = format!("W/\"{}\"", STANDARD.encode(digest(&SHA256, file.gzipped)));
        Self { file, tag, plain: OnceLock::new() }
    }

    fn answer(&self, request: &HeaderMap) -> Response {
        let headers = [
            (CONTENT_SECURITY_POLICY, POLICY),
            (REFERRER_POLICY, "no-referrer"),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (CACHE_CONTROL, "no-cache"),
            (VARY, "accept-encoding"),
            (ETAG, self.tag.as_str()),
        ];
        let content_type = [(CONTENT_TYPE, self.file.content_type)];
        if listed(request, &IF_NONE_MATCH).any(|tag| tag == self.tag || tag == "*") {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        if listed(request, &ACCEPT_ENCODING).any(is_gzip) {
            return (headers, content_type, [(CONTENT_ENCODING, "gzip")], self.file.gzipped).into_response();
        }
        match self.plain.get_or_init(|| unzipped(self.file.gzipped)) {
            Ok(plain) => (headers, content_type, plain.clone()).into_response(),
            Err(error) => {
                tracing::error!(%error, path = self.file.path, "a file of the binary cannot be read");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

/// The members of a list in a header.
fn listed<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let texts = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Whether a member of `Accept-Encoding` takes gzip, which a weight of zero refuses.
fn is_gzip(member: &str) -> bool {
    let (coding, weight) = member.split_once(';').unwrap_or((member, "q=1"));
    let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
    coding.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|weight| weight > 0.0)
}

fn unzipped(gzipped: &[u8]) -> io::Result<Bytes> {
    let mut plain = Vec::new();
    GzDecoder::new(gzipped).read_to_end(&mut plain)?;
    Ok(plain.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_takes_gzip_unless_it_says_otherwise() {
        for (member, taken) in
            [("gzip", true), ("GZIP;q=0.5", true), ("gzip; q=0", false), ("br", false), ("gzip;q=x", false)]
        {
            assert_eq!(is_gzip(member), taken, "{member}");
        }
    }
}
