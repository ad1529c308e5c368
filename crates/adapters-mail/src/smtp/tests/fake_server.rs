//! An SMTP server on the loopback that is polite where a test does not say otherwise. It must not judge what it gets.

use std::future::pending;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the server does at one moment of the conversation.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reply {
    /// Answers this line.
    Line(&'static str),
    /// Closes the connection.
    HangUp,
    /// Keeps the connection and says nothing more.
    Silence,
}

type Lines = Arc<Mutex<Vec<String>>>;

pub(super) struct FakeServer {
    pub(super) port: u16,
    lines: Lines,
    serving: JoinHandle<()>,
}

impl FakeServer {
    /// A server that listens already. It does as `manners` say at a command, at `CONNECT` and at the final `.` of a mail.
    pub(super) async fn start<const N: usize>(manners: [(&'static str, Reply); N]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let lines = Lines::default();
        let heard = Arc::clone(&lines);
        let serving = tokio::spawn(async move {
            loop {
                let (connection, _) = listener.accept().await.unwrap();
                tokio::spawn(converse(connection, manners, Arc::clone(&heard)));
            }
        });
        Self { port, lines, serving }
    }

    /// The same server after it stopped listening.
    pub(super) async fn stop(mut self) -> Self {
        self.serving.abort();
        assert!((&mut self.serving).await.unwrap_err().is_cancelled());
        self
    }

    /// Every line that came, over all connections.
    pub(super) fn received(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn converse<const N: usize>(connection: TcpStream, manners: [(&'static str, Reply); N], heard: Lines) {
    let mut connection = BufReader::new(connection);
    let mut moment = "CONNECT".to_owned();
    let mut in_mail = false;
    loop {
        if !in_mail || moment == "." {
            let special = manners.iter().find(|(command, _)| moment.starts_with(command));
            match special.map_or(Reply::Line(politely(&moment)), |(_, reply)| *reply) {
                Reply::Line(line) => connection.write_all(format!("{line}\r\n").as_bytes()).await.unwrap(),
                Reply::HangUp => return,
                Reply::Silence => pending().await,
            }
            in_mail = moment == "DATA";
        }
        let mut line = String::new();
        // A client that goes away, or speaks TLS to us, is not our concern.
        if !matches!(connection.read_line(&mut line).await, Ok(length) if length > 0) {
            return;
        }
        moment = line.trim_end_matches(['\r', '\n']).to_owned();
        heard.lock().unwrap().push(moment.clone());
    }
}

fn politely(moment: &str) -> &'static str {
    match moment.split(' ').next() {
        Some("CONNECT") => "220 fake ready",
        Some("EHLO") => "250-fake\r\n250 8BITMIME",
        Some("AUTH") => "235 2.7.0 welcome",
        Some("DATA") => "354 go on",
        Some("QUIT") => "221 goodbye",
        _ => "250 fine",
    }
}
