//! HTTP/1.1 as far as a load generator on the same cores can afford it: fixed requests, answers with a length.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use uuid::Uuid;

use crate::server::API_KEY;

const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// The form that ids have in JSON.
pub(crate) fn wire(id: Uuid) -> String {
    STANDARD.encode(id.as_bytes())
}

/// A call of an operation, ready to be written.
pub(crate) fn request(path: &str, body: &str) -> Vec<u8> {
    format!(
        "POST /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {API_KEY}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Where an answer ends, and whether it is a good one; `None` as long as it is not there as a whole.
pub(crate) fn answer(bytes: &[u8]) -> Option<Answer> {
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let length = bytes.get(..head)?.split(|byte| *byte == b'\n').find_map(content_length)?;
    let (body, end) = (head + 4, head + 4 + length);
    (bytes.len() >= end).then(|| Answer { good: bytes.starts_with(b"HTTP/1.1 200"), body, end })
}

/// An answer within a buffer.
pub(crate) struct Answer {
    pub(crate) good: bool,
    body: usize,
    pub(crate) end: usize,
}

fn content_length(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length:";
    let (name, value) = line.split_at_checked(NAME.len())?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

/// One kept connection, for calls one after the other.
pub(crate) struct Client {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        Ok(Self { stream, received: Vec::with_capacity(64 * 1_024) })
    }

    /// The answer's body.
    pub(crate) fn call(&mut self, request: &[u8]) -> anyhow::Result<&[u8]> {
        self.send(request)?;
        self.receive()
    }

    /// Sends a request whose answer is awaited later.
    pub(crate) fn send(&mut self, request: &[u8]) -> anyhow::Result<()> {
        Ok(self.stream.write_all(request)?)
    }

    /// The body of the awaited answer.
    pub(crate) fn receive(&mut self) -> anyhow::Result<&[u8]> {
        self.received.clear();
        let mut part = [0; 16 * 1_024];
        loop {
            let read = self.stream.read(&mut part)?;
            anyhow::ensure!(read > 0, "the server closed the connection");
            self.received.extend_from_slice(part.get(..read).context("more read than there is room")?);
            if let Some(answer) = answer(&self.received) {
                let body = self.received.get(answer.body..answer.end).unwrap_or_default();
                anyhow::ensure!(answer.good, "refused: {}", String::from_utf8_lossy(&self.received));
                return Ok(body);
            }
        }
    }

    pub(crate) fn json(&mut self, request: &[u8]) -> anyhow::Result<Value> {
        Ok(serde_json::from_slice(self.call(request)?)?)
    }
}
