//! A pipe between the server and its database that can be shut or held: to the server, the database is down then, or answers nothing.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tradepost::sql::{DatabaseSettings, PostgresSettings};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// Every connection is cut, and no other is let through.
    Shut,
    /// Connections are taken, and nothing goes through new ones until the pipe is open again.
    Held,
}

/// The pipe; open at first.
pub(super) struct Valve {
    address: SocketAddr,
    state: watch::Sender<State>,
    target: watch::Sender<String>,
}

impl Valve {
    pub(super) async fn before(url: &str) -> Self {
        let (target, leads_to) = watch::channel(host_of(url).to_owned());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (state, watched) = watch::channel(State::Open);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let target = leads_to.borrow().clone();
                tokio::spawn(pass(near, target, watched.clone()));
            }
        });
        Self { address, state, target }
    }

    /// Cuts every connection and lets no other through.
    pub(super) fn shut(&self) {
        self.state.send_replace(State::Shut);
    }

    pub(super) fn open(&self) {
        self.state.send_replace(State::Open);
    }

    /// Takes connections, and lets nothing through new ones.
    pub(super) fn hold(&self) {
        self.state.send_replace(State::Held);
    }

    /// Leads to another server from now on; what is connected stays where it is.
    pub(super) fn lead_to(&self, url: &str) {
        self.target.send_replace(host_of(url).to_owned());
    }

    /// The same database by way of the pipe.
    pub(super) fn lead_url(&self, url: &str) -> String {
        url.replacen(host_of(url), &self.address.to_string(), 1)
    }

    /// The same settings by way of the pipe.
    pub(super) fn lead(&self, settings: &PostgresSettings) -> DatabaseSettings {
        use secrecy::ExposeSecret as _;
        let url = self.lead_url(settings.url.expose_secret());
        DatabaseSettings::Postgres(PostgresSettings { url: url.into(), ..settings.clone() })
    }
}

async fn pass(mut near: TcpStream, target: String, mut state: watch::Receiver<State>) {
    match state.wait_for(|state| *state != State::Held).await.as_deref() {
        Ok(State::Open) => {}
        Ok(State::Shut | State::Held) | Err(_) => return,
    }
    let Ok(mut far) = TcpStream::connect(target).await else { return };
    tokio::select! {
        // How a connection ends is the business of those who talk over it.
        _ = copy_bidirectional(&mut near, &mut far) => {}
        _ = state.wait_for(|state| *state == State::Shut) => {}
    }
}

/// Host and port of a database address.
pub(super) fn host_of(url: &str) -> &str {
    let (_, rest) = url.split_once("://").unwrap();
    let authority = rest.split('/').next().unwrap();
    authority.rsplit('@').next().unwrap()
}
