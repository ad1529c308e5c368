//! The facades and their control side on ports of this machine.

use std::io;
use std::net::SocketAddr;

use serde::Serialize;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::cutting::{Cutter, CuttingListener};
use crate::state::Fakes;
use crate::{control, skinport};

/// The addresses to serve at; port 0 picks a free one.
#[derive(Debug, Clone, Copy)]
pub struct Addresses {
    /// Skinport.
    pub skinport: SocketAddr,
    /// The control side.
    pub control: SocketAddr,
}

impl Default for Addresses {
    fn default() -> Self {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        Self { skinport: any, control: any }
    }
}

/// What is served, until it is dropped.
#[derive(Debug, Serialize)]
pub struct Served {
    /// The address of Skinport.
    pub skinport: String,
    /// The address of the control side.
    pub control: String,
    #[serde(skip)]
    tasks: Vec<JoinHandle<io::Result<()>>>,
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Programs of other machines could reach it.
    #[error("fakes are served on a loopback address only, and {0} is none")]
    NotLoopback(SocketAddr),
    /// A listener failed.
    #[error("a listener failed: {0}")]
    Listener(#[from] io::Error),
}

/// Serves the facades.
///
/// # Errors
/// [`ServeError`].
pub async fn serve(fakes: &Fakes, addresses: Addresses, token: &str) -> Result<Served, ServeError> {
    let (facade, control) = (listener(addresses.skinport).await?, listener(addresses.control).await?);
    let at = |listener: &TcpListener| listener.local_addr().map(|address| format!("http://{address}"));
    let (skinport_at, control_at) = (at(&facade)?, at(&control)?);
    let routes = skinport::routes(fakes.clone()).into_make_service_with_connect_info::<Cutter>();
    let controls = control::routes(fakes.clone(), token);
    let tasks = vec![
        tokio::spawn(async move { axum::serve(CuttingListener(facade), routes).await }),
        tokio::spawn(async move { axum::serve(control, controls).await }),
    ];
    Ok(Served { skinport: skinport_at, control: control_at, tasks })
}

async fn listener(at: SocketAddr) -> Result<TcpListener, ServeError> {
    if !at.ip().is_loopback() {
        return Err(ServeError::NotLoopback(at));
    }
    Ok(TcpListener::bind(at).await?)
}

impl Drop for Served {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}
