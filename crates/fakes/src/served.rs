//! The facades and their control side on ports of this machine.

use std::io;
use std::net::SocketAddr;

use serde::Serialize;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::cutting::{Cutter, CuttingListener};
use crate::facade::Facade;
use crate::state::Fakes;
use crate::{control, csfloat, dmarket, market_csgo, skinport, steam_api, steam_community, steam_market, waxpeer};

/// The addresses to serve at; port 0 picks a free one.
#[derive(Debug, Clone, Copy)]
pub struct Addresses {
    /// Skinport.
    pub skinport: SocketAddr,
    /// market.csgo.com.
    pub market_csgo: SocketAddr,
    /// Waxpeer.
    pub waxpeer: SocketAddr,
    /// `CSFloat`.
    pub csfloat: SocketAddr,
    /// `DMarket`.
    pub dmarket: SocketAddr,
    /// The Steam Community Market.
    pub steam_market: SocketAddr,
    /// Steam's Web API.
    pub steam_api: SocketAddr,
    /// The Steam Community.
    pub steam_community: SocketAddr,
    /// The control side.
    pub control: SocketAddr,
}

impl Default for Addresses {
    fn default() -> Self {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        Self {
            skinport: any,
            market_csgo: any,
            waxpeer: any,
            csfloat: any,
            dmarket: any,
            steam_market: any,
            steam_api: any,
            steam_community: any,
            control: any,
        }
    }
}

/// What is served, until it is dropped.
#[derive(Debug, Serialize)]
pub struct Served {
    /// The address of Skinport.
    pub skinport: String,
    /// The address of market.csgo.com.
    pub market_csgo: String,
    /// The address of Waxpeer.
    pub waxpeer: String,
    /// The address of `CSFloat`.
    pub csfloat: String,
    /// The address of `DMarket`.
    pub dmarket: String,
    /// The address of the Steam Community Market.
    pub steam_market: String,
    /// The address of Steam's Web API.
    pub steam_api: String,
    /// The address of the Steam Community.
    pub steam_community: String,
    /// The address of the control side.
    pub control: String,
    #[serde(skip)]
    _tasks: Tasks,
}

/// Tasks that end with this value.
#[derive(Debug, Default)]
struct Tasks(Vec<JoinHandle<io::Result<()>>>);

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
    let mut tasks = Tasks::default();
    let skinport = facade(&skinport::FACADE, fakes, addresses.skinport, &mut tasks).await?;
    let market_csgo = facade(&market_csgo::FACADE, fakes, addresses.market_csgo, &mut tasks).await?;
    let waxpeer = facade(&waxpeer::FACADE, fakes, addresses.waxpeer, &mut tasks).await?;
    let csfloat = facade(&csfloat::FACADE, fakes, addresses.csfloat, &mut tasks).await?;
    let dmarket = facade(&dmarket::FACADE, fakes, addresses.dmarket, &mut tasks).await?;
    let steam_market = facade(&steam_market::FACADE, fakes, addresses.steam_market, &mut tasks).await?;
    let steam_api = facade(&steam_api::FACADE, fakes, addresses.steam_api, &mut tasks).await?;
    let steam_community = facade(&steam_community::FACADE, fakes, addresses.steam_community, &mut tasks).await?;
    let listener = listener(addresses.control).await?;
    let control = format!("http://{}", listener.local_addr()?);
    let controls = control::routes(fakes.clone(), token);
    tasks.0.push(tokio::spawn(async move { axum::serve(listener, controls).await }));
    Ok(Served {
        skinport,
        market_csgo,
        waxpeer,
        csfloat,
        dmarket,
        steam_market,
        steam_api,
        steam_community,
        control,
        _tasks: tasks,
    })
}

/// Serves a facade; its address.
async fn facade(of: &'static Facade, fakes: &Fakes, at: SocketAddr, tasks: &mut Tasks) -> Result<String, ServeError> {
    let listener = listener(at).await?;
    let address = format!("http://{}", listener.local_addr()?);
    let routes = of.serve(fakes.clone()).into_make_service_with_connect_info::<Cutter>();
    tasks.0.push(tokio::spawn(async move { axum::serve(CuttingListener(listener), routes).await }));
    Ok(address)
}

async fn listener(at: SocketAddr) -> Result<TcpListener, ServeError> {
    if !at.ip().is_loopback() {
        return Err(ServeError::NotLoopback(at));
    }
    Ok(TcpListener::bind(at).await?)
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}
