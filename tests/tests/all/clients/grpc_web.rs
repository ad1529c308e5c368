//! gRPC-Web as a browser's library speaks it, by plain HTTP: a frame in, a frame and the trailers back.

use std::collections::BTreeMap;

/// An answer in gRPC-Web: the message, and the trailers that follow it in the body.
#[derive(Debug)]
pub(super) struct GrpcWebAnswer {
    pub(super) message: Option<Vec<u8>>,
    /// The trailers; of an answer without a message they are in the header.
    pub(super) trailers: BTreeMap<String, String>,
}

/// Calls an operation.
pub(super) async fn call(url: &str, token: Option<&str>, message: &[u8]) -> GrpcWebAnswer {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    let framed = [&[0], length.as_slice(), message].concat();
    let request = reqwest::Client::new().post(url).header("content-type", "application/grpc-web+proto").body(framed);
    let request = match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    };
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200, "gRPC-Web says what went wrong in the trailers");
    let headers = answer.headers().iter();
    let mut trailers: BTreeMap<String, String> =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    let mut message = None;
    let body = answer.bytes().await.unwrap();
    let mut rest = body.as_ref();
    while let [flags, a, b, c, d, tail @ ..] = rest {
        let (frame, tail) = tail.split_at(u32::from_be_bytes([*a, *b, *c, *d]) as usize);
        if flags & 0x80 == 0 {
            message = Some(frame.to_vec());
        } else {
            trailers.extend(lines(frame));
        }
        rest = tail;
    }
    GrpcWebAnswer { message, trailers }
}

fn lines(frame: &[u8]) -> Vec<(String, String)> {
    let text = std::str::from_utf8(frame).unwrap().lines();
    text.filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect()
}
