//! The load of GetPurchase: 32 kept connections, each asking for purchases at random, one after the other. It runs on one
//! thread, since it shares the cores with the server it measures.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::future;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use uuid::Uuid;

use crate::data::{self, Of};
use crate::http;

pub(crate) const CONNECTIONS: u32 = 32;
pub(crate) const GET_PURCHASE: &str = "contracts.v1.Contracts/GetPurchase";

/// The request for a purchase.
pub(crate) fn get_purchase(workspace: Uuid, number: u32) -> Vec<u8> {
    http::request(GET_PURCHASE, &get_purchase_body(workspace, number))
}

/// Its body.
pub(crate) fn get_purchase_body(workspace: Uuid, number: u32) -> String {
    let purchase = http::wire(data::id(Of::Purchase, number));
    let workspace = http::wire(workspace);
    format!(r#"{{"workspaceId":"{workspace}","purchaseId":"{purchase}"}}"#)
}

/// What one round gave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    pub(crate) per_second: f64,
    pub(crate) median_micros: f64,
    pub(crate) p99_micros: f64,
}

/// Asks for purchases for a while.
///
/// # Errors
/// Any answer but a good one.
pub(crate) fn run(address: SocketAddr, workspace: Uuid, purchases: u32, time: Duration) -> anyhow::Result<Load> {
    let begun = Instant::now();
    let until = begun + time;
    // A thread that belongs to no runtime, so that it can have one of its own.
    let asking = thread::spawn(move || -> anyhow::Result<_> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let connections = (0..CONNECTIONS).map(|number| ask(address, workspace, purchases, number, until));
        runtime.block_on(future::try_join_all(connections))
    });
    let waited = asking.join().map_err(|_| anyhow::anyhow!("the load generator panicked"))??;
    let took = begun.elapsed().as_secs_f64();
    let mut waited: Vec<f64> = waited.into_iter().flatten().map(f64::from).collect();
    waited.sort_by(f64::total_cmp);
    let at = |share: usize| waited.get(waited.len() * share / 100).copied().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "calls of a few seconds are counted exactly")]
    let per_second = waited.len() as f64 / took;
    Ok(Load { per_second, median_micros: at(50), p99_micros: at(99) })
}

/// One connection's calls: how long each took, in microseconds.
async fn ask(
    address: SocketAddr,
    workspace: Uuid,
    purchases: u32,
    connection: u32,
    until: Instant,
) -> anyhow::Result<Vec<f32>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    // All requests have the same length and differ in the purchase's id, which is always at the same place.
    let mut request = get_purchase(workspace, 0);
    let id_ends = request.len() - 2;
    let mut state = u64::from(connection);
    let mut received = vec![0; 16 * 1_024];
    let mut waited = Vec::with_capacity(100_000);
    let mut sent = Instant::now();
    while sent < until {
        state = data::mix(state);
        let wanted = u32::try_from(state % u64::from(purchases))?;
        let id = http::wire(data::id(Of::Purchase, wanted));
        request.get_mut(id_ends - id.len()..id_ends).context("no room for the id")?.copy_from_slice(id.as_bytes());
        stream.write_all(&request).await?;
        let mut length = 0;
        let answer = loop {
            let read = stream.read(received.get_mut(length..).unwrap_or_default()).await?;
            anyhow::ensure!(read > 0, "the server closed the connection, or its answer is too long");
            length += read;
            if let Some(answer) = received.get(..length).and_then(http::answer) {
                break answer;
            }
        };
        anyhow::ensure!(answer.good && answer.end == length, "{}", String::from_utf8_lossy(&received));
        let now = Instant::now();
        waited.push((now - sent).as_secs_f32() * 1e6);
        sent = now;
    }
    Ok(waited)
}
