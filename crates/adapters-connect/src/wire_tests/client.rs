//! A client that shows everything of an answer: a plain HTTP client, and the framing of gRPC and gRPC-Web by hand.

use std::fmt;
use std::future::pending;
use std::io::Write as _;
use std::net::SocketAddr;

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, Method, Request};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::Transport;

/// One of the three protocols.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    Connect,
    Grpc,
    GrpcWeb,
}

pub(super) const CONNECT: Protocol = Protocol::Connect;
pub(super) const GRPC: Protocol = Protocol::Grpc;
pub(super) const GRPC_WEB: Protocol = Protocol::GrpcWeb;
pub(super) const PROTOCOLS: [Protocol; 3] = [CONNECT, GRPC, GRPC_WEB];

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "connect",
            Self::Grpc => "grpc",
            Self::GrpcWeb => "grpc-web",
        })
    }
}

/// What a call says about its body.
#[derive(Clone)]
enum ContentType {
    OfProtocol,
    Other(String),
    Missing,
}

/// A call to make.
#[derive(Clone)]
pub(super) struct Ask {
    path: String,
    method: Method,
    codec: &'static str,
    content_type: ContentType,
    headers: HeaderMap,
    message: Vec<u8>,
    gzip: bool,
    names_encoding: bool,
}

impl Ask {
    pub(super) fn json(path: &str, body: impl AsRef<[u8]>) -> Self {
        Self::new(path, "json", body.as_ref())
    }

    pub(super) fn binary(path: &str, message: &[u8]) -> Self {
        Self::new(path, "proto", message)
    }

    fn new(path: &str, codec: &'static str, message: &[u8]) -> Self {
        Self {
            path: path.to_owned(),
            method: Method::POST,
            codec,
            content_type: ContentType::OfProtocol,
            headers: HeaderMap::new(),
            message: message.to_vec(),
            gzip: false,
            names_encoding: true,
        }
    }

    pub(super) fn method(self, method: &str) -> Self {
        Self { method: method.parse().unwrap(), ..self }
    }

    pub(super) fn content_type(self, content_type: Option<&str>) -> Self {
        let content_type = content_type.map_or(ContentType::Missing, |name| ContentType::Other(name.to_owned()));
        Self { content_type, ..self }
    }

    pub(super) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(name, value.parse().unwrap());
        self
    }

    pub(super) fn with_key(self, key: &str) -> Self {
        self.header("authorization", &format!("Bearer {key}"))
    }

    pub(super) fn gzipped(self) -> Self {
        Self { gzip: true, ..self }
    }

    /// Does not say that it is compressed.
    pub(super) fn without_encoding(self) -> Self {
        Self { names_encoding: false, ..self }
    }

    fn content_type_of(&self, protocol: Protocol) -> Option<String> {
        match (&self.content_type, protocol) {
            (ContentType::Missing, _) => None,
            (ContentType::Other(name), _) => Some(name.clone()),
            (ContentType::OfProtocol, Protocol::Connect) => Some(format!("application/{}", self.codec)),
            (ContentType::OfProtocol, Protocol::Grpc) => Some(format!("application/grpc+{}", self.codec)),
            (ContentType::OfProtocol, Protocol::GrpcWeb) => Some(format!("application/grpc-web+{}", self.codec)),
        }
    }

    fn body(&self, protocol: Protocol) -> Vec<u8> {
        let message = if self.gzip { gzip(&self.message) } else { self.message.clone() };
        if protocol == CONNECT {
            return message;
        }
        let length = u32::try_from(message.len()).unwrap();
        [&[u8::from(self.gzip)], &length.to_be_bytes()[..], &message].concat()
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Two clients of a server: HTTP/1.1, and HTTP/2 for gRPC.
#[derive(Clone)]
pub(super) struct Wire {
    base: String,
    http1: Client<HttpConnector, Full<Bytes>>,
    http2: Client<HttpConnector, Full<Bytes>>,
}

impl Wire {
    /// Serves on a free port of this machine, for as long as the test runs.
    pub(super) async fn serve(transport: Transport) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let wire = Self::to(listener.local_addr().unwrap());
        tokio::spawn(transport.serve(listener, None, pending()));
        wire
    }

    /// Clients of whatever serves at this address.
    pub(super) fn to(address: SocketAddr) -> Self {
        let http1 = Client::builder(TokioExecutor::new()).build_http();
        let http2 = Client::builder(TokioExecutor::new()).http2_only(true).build_http();
        Self { base: format!("http://{address}"), http1, http2 }
    }

    /// The origin of a page that this server serves.
    pub(super) fn origin(&self) -> &str {
        &self.base
    }

    /// What the server answers to these bytes, until it ends the connection.
    pub(super) async fn raw(&self, bytes: &str) -> String {
        let address = self.base.strip_prefix("http://").unwrap();
        let mut connection = TcpStream::connect(address).await.unwrap();
        connection.write_all(bytes.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        connection.read_to_end(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Makes the call and takes the answer apart.
    pub(super) async fn ask(&self, protocol: Protocol, ask: &Ask) -> Answer {
        self.send(protocol, ask).await.unframed(protocol)
    }

    /// Makes the call.
    pub(super) async fn send(&self, protocol: Protocol, ask: &Ask) -> Answer {
        let mut request = Request::builder().method(&ask.method).uri(format!("{}{}", self.base, ask.path));
        if let Some(content_type) = ask.content_type_of(protocol) {
            request = request.header("content-type", content_type);
        }
        if ask.gzip && ask.names_encoding {
            request = request.header(if protocol == CONNECT { "content-encoding" } else { "grpc-encoding" }, "gzip");
        }
        let mut request = request.body(Full::new(Bytes::from(ask.body(protocol)))).unwrap();
        request.headers_mut().extend(ask.headers.clone());
        let client = if protocol == GRPC { &self.http2 } else { &self.http1 };
        let (parts, body) = client.request(request).await.unwrap().into_parts();
        let body = body.collect().await.unwrap();
        let trailers = body.trailers().cloned().unwrap_or_default();
        Answer { status: parts.status.as_u16(), headers: parts.headers, body: body.to_bytes().to_vec(), trailers }
    }
}

/// An answer.
pub(super) struct Answer {
    pub(super) status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
    trailers: HeaderMap,
}

/// Headers that differ from run to run or say nothing about the answer.
const NOT_SHOWN: [&str; 8] = [
    "date",
    "content-length",
    "x-request-id",
    "accept-encoding",
    "grpc-accept-encoding",
    "grpc-status-details-bin",
    "cross-origin-resource-policy",
    "x-content-type-options",
];

impl Answer {
    /// Takes the frames of gRPC and gRPC-Web off the message, and the trailers of gRPC-Web out of the body.
    fn unframed(mut self, protocol: Protocol) -> Self {
        if protocol == CONNECT {
            return self;
        }
        let framed = std::mem::take(&mut self.body);
        let mut rest = framed.as_slice();
        while let [flags, a, b, c, d, tail @ ..] = rest {
            let (frame, tail) = tail.split_at(u32::from_be_bytes([*a, *b, *c, *d]) as usize);
            if flags & 0x80 == 0 {
                self.body.extend_from_slice(frame);
            } else {
                self.read_trailers(frame);
            }
            rest = tail;
        }
        self
    }

    fn read_trailers(&mut self, frame: &[u8]) {
        for line in std::str::from_utf8(frame).unwrap().lines() {
            let (name, value) = line.split_once(": ").unwrap();
            let name: http::HeaderName = name.parse().unwrap();
            self.trailers.append(name, value.parse().unwrap());
        }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Every value of a header.
    pub(super) fn headers(&self, name: &str) -> Vec<&str> {
        self.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect()
    }

    /// The message.
    pub(super) fn body(&self) -> &[u8] {
        &self.body
    }

    /// The status code of gRPC; 0 also for Connect, which has none.
    pub(super) fn grpc_code(&self) -> u32 {
        let status = self.trailers.get("grpc-status").or_else(|| self.headers.get("grpc-status"));
        status.map_or(0, |status| status.to_str().unwrap().parse().unwrap())
    }

    /// The body of a Connect answer.
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Everything that a caller can rely on.
    pub(super) fn show(&self) -> String {
        let mut shown = format!("{}\n", self.status);
        for (kind, map) in [("", &self.headers), ("trailer ", &self.trailers)] {
            let mut lines: Vec<_> = map
                .iter()
                .filter(|(name, _)| !NOT_SHOWN.contains(&name.as_str()))
                .map(|(name, value)| format!("{kind}{name}: {}\n", value.to_str().unwrap()))
                .collect();
            lines.sort();
            shown.extend(lines);
        }
        shown + &String::from_utf8_lossy(&self.body)
    }
}
