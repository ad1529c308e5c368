//! Files that the build script compressed into the program, as they are served.

use std::io::{self, Read as _};
use std::sync::OnceLock;

use aws_lc_rs::digest::{SHA256, digest};
use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;

/// A file of the program.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddedFile {
    /// Where it is served.
    pub path: &'static str,
    /// What it is.
    pub content_type: &'static str,
    /// Its content, compressed.
    pub gzipped: &'static [u8],
}

/// A file that is served.
#[derive(Debug)]
pub struct ServedFile {
    file: EmbeddedFile,
    tag: String,
    /// For clients without gzip, from the first of them on.
    plain: OnceLock<io::Result<Bytes>>,
}

impl ServedFile {
    /// The file, ready to be served.
    pub fn of(file: EmbeddedFile) -> Self {
        // Weak, because the compressed form and the plain one share it.
        let tag = format!("W/\"{}\"", STANDARD.encode(digest(&SHA256, file.gzipped)));
        Self { file, tag, plain: OnceLock::new() }
    }

    /// The answer to a request with these headers, with `headers` of its own.
    pub fn answer(&self, request: &HeaderMap, headers: &[(HeaderName, &'static str)]) -> Response {
        let mut answer = self.content(request);
        for (name, value) in headers {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        answer
    }

    fn content(&self, request: &HeaderMap) -> Response {
        let headers = [(VARY, "accept-encoding"), (ETAG, self.tag.as_str())];
        if listed(request, &IF_NONE_MATCH).any(|tag| tag == self.tag || tag == "*") {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let content_type = [(CONTENT_TYPE, self.file.content_type)];
        if listed(request, &ACCEPT_ENCODING).any(is_gzip) {
            return (headers, content_type, [(CONTENT_ENCODING, "gzip")], self.file.gzipped).into_response();
        }
        match self.plain.get_or_init(|| unzipped(self.file.gzipped)) {
            Ok(plain) => (headers, content_type, plain.clone()).into_response(),
            Err(error) => {
                tracing::error!(%error, path = self.file.path, "a file of the program cannot be read");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

/// The members of a list in a header.
pub(crate) fn listed<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
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
