//! A world in a folder, served over HTTP to the programs of one machine, with a clock that runs.
//!
//! `POST /call` takes a [`Request`] as JSON and gives the [`Answer`]; `GET /time` returns what time it is, how fast it passes and
//! the seed; `GET /health` says whether the world can be written. A status other than 200 says that the request was not
//! understood, or not done for reasons of this process.

use std::convert::Infallible as Never;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::MissedTickBehavior;
use tradepost_domain::time::Timestamp;
use tradepost_ports::marketplace::MarketTraits;

use crate::call::{Answer, Request, WorldCommand};
use crate::folder::{FolderError, WorldFolder};
use crate::scaled_clock::ClockSpeed;
use crate::serde_repr;

/// How often the world is brought to the present without a request.
const BEAT: Duration = Duration::from_millis(100);
/// The longest time that passes by one request: a world has to live through all of it before it answers again.
const LONGEST_ADVANCE: u64 = 366 * 24 * 60 * 60 * 1_000_000;

/// Why a world is not served, or no longer.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// Programs of other machines could reach it, and it authenticates no caller.
    #[error("a simulated world is served on a loopback address only, and {0} is none")]
    NotLoopback(SocketAddr),
    /// The listener failed.
    #[error("the listener failed: {0}")]
    Listener(#[from] io::Error),
    /// The world could not be written at the end.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// The answer of `GET /time`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct TimeResponse {
    /// What time it is, in microseconds since 1970.
    #[serde(with = "serde_repr")]
    pub(crate) now: Timestamp,
    /// Seconds of the world in a second.
    pub(crate) speed: u32,
    pub(crate) seed: u64,
    /// How its marketplace works.
    #[serde(with = "serde_repr", default)]
    pub(crate) traits: MarketTraits,
}

/// A world and its clock.
struct Running {
    folder: WorldFolder,
    pace: ClockSpeed,
}

#[derive(Clone)]
struct Shared(Arc<Mutex<Running>>);

type Served<T> = Result<Json<T>, (StatusCode, String)>;

/// Serves a world until `stop`, and leaves it written down whole. Its time passes `speed` times as fast as ours, or at 0 only
/// when the caller says so; while it is not served, its time stops.
///
/// # Errors
/// [`ServiceError`].
pub async fn serve(
    listener: TcpListener,
    folder: WorldFolder,
    speed: u32,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServiceError> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        return Err(ServiceError::NotLoopback(address));
    }
    let pace = ClockSpeed::new(folder.world().now(), Instant::now(), speed);
    let shared = Shared(Arc::new(Mutex::new(Running { folder, pace })));
    let (serving, over) = oneshot::channel::<Never>();
    let beating = tokio::spawn(beat(shared.clone(), over));
    let router = Router::new()
        .route("/call", post(call))
        .route("/time", get(time))
        .route("/health", get(health))
        .with_state(shared.clone());
    let served = axum::serve(listener, router).with_graceful_shutdown(stop).await;
    drop(serving);
    // Nothing holds the world when this returns, so that it can be opened again.
    if let Err(error) = beating.await {
        tracing::warn!(%error, "the clock of the simulated world had stopped");
    }
    shared.with(|running| running.folder.take_snapshot()).await?;
    Ok(served?)
}

/// Lets time pass without a request, so that the next request does not wait for all of it.
async fn beat(shared: Shared, mut over: oneshot::Receiver<Never>) {
    let mut beats = tokio::time::interval(BEAT);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = beats.tick() => shared.with(Running::catch_up).await,
            _ = &mut over => return,
        }
    }
}

async fn call(State(shared): State<Shared>, Json(request): Json<Request>) -> Served<Answer> {
    if let Request::World(WorldCommand::Advance { micros }) = &request
        && *micros > LONGEST_ADVANCE
    {
        return Err((StatusCode::BAD_REQUEST, "at most 366 days pass at once".to_owned()));
    }
    shared.with(move |running| running.answer(&request)).await.map(Json).map_err(|error| failed(&error))
}

async fn time(State(shared): State<Shared>) -> Served<TimeResponse> {
    shared.with(Running::time).await.map(Json).map_err(|error| failed(&error))
}

async fn health(State(shared): State<Shared>) -> Result<&'static str, (StatusCode, String)> {
    shared.with(Running::time).await.map(|_| "ok\n").map_err(|error| failed(&error))
}

/// Whether the request will have been done when the world is opened again is not known.
fn failed(error: &FolderError) -> (StatusCode, String) {
    tracing::error!(%error, "the simulated world cannot be written");
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

impl Shared {
    /// Does something with the world, apart from the threads that serve: it may write files.
    async fn with<T: Send + 'static>(&self, act: impl FnOnce(&mut Running) -> T + Send + 'static) -> T {
        let shared = Arc::clone(&self.0);
        let acting = move || act(&mut shared.lock().unwrap_or_else(PoisonError::into_inner));
        match tokio::task::spawn_blocking(acting).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime ends, and with it all requests that wait here.
                Err(_) => std::future::pending().await,
            },
        }
    }
}

impl Running {
    /// Brings the world to the present.
    fn catch_up(&mut self) {
        let behind = self.pace.at(Instant::now()).since(self.folder.world().now());
        if behind.is_positive() {
            self.folder.pass(behind);
        }
    }

    fn answer(&mut self, request: &Request) -> Result<Answer, FolderError> {
        self.catch_up();
        let answer = self.folder.answer(request)?;
        if let Request::World(WorldCommand::Advance { .. }) = request {
            self.pace = ClockSpeed::new(self.folder.world().now(), Instant::now(), self.pace.speed);
        }
        Ok(answer)
    }

    fn time(&mut self) -> Result<TimeResponse, FolderError> {
        self.catch_up();
        let (now, world) = (self.folder.now()?, &self.folder);
        Ok(TimeResponse { now, speed: self.pace.speed, seed: world.seed(), traits: world.world().traits() })
    }
}
