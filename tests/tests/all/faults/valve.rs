//! A pipe between the server and its database that can be shut: to the server, the database is down then.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tradepost::sql::{DatabaseSettings, PostgresSettings};

/// The pipe; open at first.
pub(super) struct Valve {
    address: SocketAddr,
    is_open: watch::Sender<bool>,
}

impl Valve {
    pub(super) async fn before(url: &str) -> Self {
        let target = host_of(url).to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (is_open, watched) = watch::channel(true);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(pass(near, target.clone(), watched.clone()));
            }
        });
        Self { address, is_open }
    }

    /// Cuts every connection and lets no other through.
    pub(super) fn shut(&self) {
        self.is_open.send_replace(false);
    }

    pub(super) fn open(&self) {
        self.is_open.send_replace(true);
    }

    /// The same settings by way of the pipe.
    pub(super) fn lead(&self, settings: &PostgresSettings) -> DatabaseSettings {
        use secrecy::ExposeSecret as _;
        let url = settings.url.expose_secret();
        let url = url.replacen(host_of(url), &self.address.to_string(), 1);
        DatabaseSettings::Postgres(PostgresSettings { url: url.into(), ..settings.clone() })
    }
}

async fn pass(mut near: TcpStream, target: String, mut is_open: watch::Receiver<bool>) {
    if !*is_open.borrow() {
        return;
    }
    let Ok(mut far) = TcpStream::connect(target).await else { return };
    tokio::select! {
        // How a connection ends is the business of those who talk over it.
        _ = copy_bidirectional(&mut near, &mut far) => {}
        _ = is_open.wait_for(|is_open| !is_open) => {}
    }
}

/// Host and port of a database address.
pub(super) fn host_of(url: &str) -> &str {
    let (_, rest) = url.split_once("://").unwrap();
    let authority = rest.split('/').next().unwrap();
    authority.rsplit('@').next().unwrap()
}
