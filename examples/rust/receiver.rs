//! A receiver of events: each change of a status, in the order of commits, also across restarts of the server and of the receiver.
//!
//! `cargo run -p tradepost-proto --features client --example receiver` reads the address and the key from `TRADEPOST_URL` and
//! `TRADEPOST_API_KEY`. The key needs the policy `analytics`. The receiver keeps its position in the file `position`: a change is handled
//! again if the receiver was killed after it was handled and before the position was written, and no change is ever missed.

use std::error::Error;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use tradepost_proto::client::accounts::{AccountsClient, ListAPIKeysRequest};
use tradepost_proto::client::contracts::{
    ContractsClient, Transition, WatchTransitionsRequest, WatchTransitionsResponse,
};
use tradepost_proto::client::{ClientConfig, ConnectError, ErrorCode, HttpClient};

/// What the receiver fails with.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// The server answers after this time if there is no change.
const WAIT_SECONDS: i32 = 25;
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);

#[tokio::main]
#[expect(clippy::disallowed_methods, reason = "the program of an example has no other settings")]
async fn main() -> Result<(), Failure> {
    let (url, key) = (env::var("TRADEPOST_URL")?, env::var("TRADEPOST_API_KEY")?);
    let receiver = Receiver::open(&url, &key, PathBuf::from("position")).await?;
    receiver
        .receive(|transition| {
            println!("{}", described(transition));
            true
        })
        .await
}

/// A server, and how far its changes were handled.
pub(crate) struct Receiver {
    contracts: ContractsClient<HttpClient>,
    workspace_id: Vec<u8>,
    position: PathBuf,
}

impl Receiver {
    /// Connects with a key, whose workspace is the one that is watched.
    pub(crate) async fn open(url: &str, key: &str, position: PathBuf) -> Result<Self, Failure> {
        let config =
            ClientConfig::new(url.parse()?).proto().with_default_header("authorization", format!("Bearer {key}"));
        let accounts = AccountsClient::new(HttpClient::plaintext(), config.clone());
        let keys = accounts.list_api_keys(ListAPIKeysRequest::default()).await?.into_owned();
        let workspace_id = keys.api_keys.into_iter().next().and_then(|key| key.workspace_id);
        let workspace_id = workspace_id.ok_or("the key has no workspace")?;
        Ok(Self { contracts: ContractsClient::new(HttpClient::plaintext(), config), workspace_id, position })
    }

    /// Handles every change from the position on, or from now on if there is none, until `handle` returns `false`.
    pub(crate) async fn receive(&self, mut handle: impl FnMut(&Transition) -> bool) -> Result<(), Failure> {
        let mut after = if let Some(position) = read(&self.position)? {
            position
        } else {
            let end = self.watch(WatchTransitionsRequest { from_end: true, ..self.request() }).await?;
            self.keep(end.last_transition_id)?
        };
        loop {
            let request =
                WatchTransitionsRequest { after_transition_id: after, wait_seconds: WAIT_SECONDS, ..self.request() };
            let answer = self.watch(request).await?;
            for transition in &answer.transitions {
                let goes_on = handle(transition);
                self.keep(transition.id.clone())?;
                if !goes_on {
                    return Ok(());
                }
            }
            after = self.keep(answer.last_transition_id)?;
        }
    }

    fn request(&self) -> WatchTransitionsRequest {
        WatchTransitionsRequest { workspace_id: self.workspace_id.clone(), ..Default::default() }
    }

    /// Repeats a call until it succeeds, or fails for a reason that does not pass.
    async fn watch(&self, request: WatchTransitionsRequest) -> Result<WatchTransitionsResponse, ConnectError> {
        loop {
            match self.contracts.watch_transitions(request.clone()).await {
                Ok(answer) => return Ok(answer.into_owned()),
                Err(error) if passes(error.code) => tokio::time::sleep(PAUSE_AFTER_FAILURE).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes a position. The file is replaced as a whole, so that a crash leaves the old or the new one.
    fn keep(&self, position: Option<Vec<u8>>) -> Result<Vec<u8>, Failure> {
        let position = position.unwrap_or_default();
        let written = self.position.with_extension("new");
        fs::write(&written, &position)?;
        fs::rename(written, &self.position)?;
        Ok(position)
    }
}

/// Whether the same call may succeed later: the server restarts, is busy, or limits the rate.
const fn passes(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::Unavailable | ErrorCode::DeadlineExceeded | ErrorCode::ResourceExhausted | ErrorCode::Aborted
    )
}

fn read(position: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(position) {
        Ok(position) => Ok(Some(position)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A change in one line: `CONTRACT ACTIVE -> PAUSED by paused`.
pub(crate) fn described(transition: &Transition) -> String {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    let subject = transition.subject_type.map(|subject| subject.to_string()).unwrap_or_default();
    let subject = subject.trim_start_matches("TRANSITION_SUBJECT_TYPE_");
    format!(
        "{subject} {} -> {} by {}",
        text(&transition.from_status),
        text(&transition.to_status),
        text(&transition.trigger)
    )
}
