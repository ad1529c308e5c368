//! A pipe between the server and its database that is cut when the database has committed and before it says so.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tradepost::sql::{DatabaseSettings, PostgresSettings};

use super::valve::host_of;

/// "Ready for the next query, in no transaction": the last that PostgreSQL says about a statement that it has committed.
const READY: &[u8] = b"Z\0\0\0\x05I";

/// The pipe.
pub(super) struct Cutter {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// Bytes of the statement after which the pipe is cut once.
    awaited: Mutex<Option<Vec<u8>>>,
    cuts: AtomicUsize,
}

impl Cutter {
    pub(super) async fn before(url: &str) -> Self {
        let target = host_of(url).to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::<Shared>::default();
        let seen = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(pass(near, target.clone(), Arc::clone(&seen)));
            }
        });
        Self { address, shared }
    }

    /// Cuts the connection on which a statement with this text among its values is sent, once the database has committed it.
    pub(super) fn cut_after(&self, text: &str) {
        *self.shared.awaited.lock().unwrap() = Some(text.as_bytes().to_vec());
    }

    /// How often it was cut.
    pub(super) fn cuts(&self) -> usize {
        self.shared.cuts.load(Ordering::SeqCst)
    }

    /// The same settings by way of the pipe.
    pub(super) fn lead(&self, settings: &PostgresSettings) -> DatabaseSettings {
        use secrecy::ExposeSecret as _;
        let url = settings.url.expose_secret();
        let url = url.replacen(host_of(url), &self.address.to_string(), 1);
        DatabaseSettings::Postgres(PostgresSettings { url: url.into(), ..settings.clone() })
    }
}

impl Shared {
    /// Whether the awaited statement is among these bytes; it is then no longer awaited.
    fn is_awaited(&self, sent: &[u8]) -> bool {
        let mut awaited = self.awaited.lock().unwrap();
        let found = awaited.as_ref().is_some_and(|text| sent.windows(text.len()).any(|part| part == text.as_slice()));
        if found {
            *awaited = None;
        }
        found
    }
}

/// Passes on what each side says, until one of them ends or the pipe is cut: how a connection ends is the business of those
/// who talk over it.
async fn pass(mut near: TcpStream, target: String, shared: Arc<Shared>) -> Option<()> {
    let mut far = TcpStream::connect(target).await.ok()?;
    let (mut sent, mut said) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            length = near.read(&mut sent) => {
                let bytes = sent.get(..length.ok().filter(|length| *length > 0)?)?;
                far.write_all(bytes).await.ok()?;
                if shared.is_awaited(bytes) {
                    let mut heard = Vec::new();
                    while !heard.ends_with(READY) {
                        let length = far.read(&mut said).await.ok().filter(|length| *length > 0)?;
                        heard.extend_from_slice(said.get(..length)?);
                    }
                    shared.cuts.fetch_add(1, Ordering::SeqCst);
                    return None;
                }
            }
            length = far.read(&mut said) => {
                let bytes = said.get(..length.ok().filter(|length| *length > 0)?)?;
                near.write_all(bytes).await.ok()?;
            }
        }
    }
}
