//! `webhook listen` and `webhook verify`, for the authors of receivers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Demo;
use crate::command::{Ended, Place};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ANOTHER_SECRET: &str = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Takes one request as it arrives, head and body, and answers it.
fn receive(listener: &TcpListener) -> Vec<u8> {
    let (connection, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(connection.try_clone().unwrap());
    let (mut request, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        request.extend(line.as_bytes());
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    answer(connection);
    [request, body].concat()
}

fn answer(mut connection: TcpStream) {
    connection.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").unwrap();
}

/// The request of one change that `webhook listen` forwards, and what it prints.
fn forwarded() -> (Vec<u8>, String) {
    let demo = Demo::start();
    let drafts = demo.json(&["contracts", "list", "--status", "draft", "--type", "buying"]);
    let contract = drafts["contracts"][0]["id"].as_str().unwrap();
    demo.table(&["contracts", "activate", contract]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let forward = format!("http://{}/hook", listener.local_addr().unwrap());
    let receiver = thread::spawn(move || receive(&listener));
    let mut listen = demo.place.command(&["webhook", "listen", "--forward", &forward, "--type", "contract.*"]);
    listen.args(["--secret", SECRET, "--count", "1"]).stdout(Stdio::piped());
    listen.env("TRADEPOST_URL", demo.server.url()).env("TRADEPOST_API_KEY", demo.server.printed("apiKey"));
    let (mut listening, began) = (listen.spawn().unwrap(), Instant::now());
    // It reads what happens once it has begun, so something happens until it has read it.
    while listening.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_mins(1), "it forwarded nothing");
        demo.table(&["contracts", "pause", contract]);
        demo.table(&["contracts", "resume", contract]);
    }
    let ended = Ended::from(listening.wait_with_output().unwrap()).expect_success();
    (receiver.join().unwrap(), ended.stdout)
}

fn verify(secret: &str, request: &[u8]) -> Ended {
    let place = Place::new();
    let mut command = place.command(&["webhook", "verify", "--secret", secret]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut verifying = command.spawn().unwrap();
    verifying.stdin.take().unwrap().write_all(request).unwrap();
    verifying.wait_with_output().unwrap().into()
}

#[test]
fn a_change_is_forwarded_and_shown_and_its_signature_holds_for_its_body_and_its_secret_alone() {
    let (request, shown) = forwarded();
    let mut lines = shown.lines();
    assert!(lines.next().unwrap().ends_with(SECRET), "{shown}");
    let line = lines.next().unwrap();
    assert!(line.starts_with("contract.") && line.contains(" 204 in ") && lines.next().is_none(), "{shown}");
    let event = line.split_whitespace().next().unwrap();
    let id = line.split_whitespace().nth(1).unwrap();

    let verified = verify(SECRET, &request).expect_success().stdout;
    assert_eq!(verified, format!("Verified {id}: {event}\n"));
    let mut changed = request.clone();
    *changed.iter_mut().rfind(|byte| byte.is_ascii_digit()).unwrap() ^= 1;
    for refused in [verify(SECRET, &changed), verify(ANOTHER_SECRET, &request)] {
        assert_eq!(refused.code, Some(1), "{}", refused.stdout);
        assert!(refused.stderr.contains("the request is not verified"), "{}", refused.stderr);
    }
    let no_request = verify(SECRET, b"{}");
    assert_eq!(no_request.code, Some(2), "{}", no_request.stderr);
}
