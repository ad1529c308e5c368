//! What is kept of a question until its answer comes, in the form in which the caller stores it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tradepost_ports::linking::LinkingError;

/// What is to be kept of a question.
pub(crate) fn keep(state: &impl Serialize) -> Result<Vec<u8>, LinkingError> {
    serde_json::to_vec(state).map_err(|error| LinkingError::State(error.to_string()))
}

/// What was kept of one.
pub(crate) fn kept<T: DeserializeOwned>(state: &[u8]) -> Result<T, LinkingError> {
    serde_json::from_slice(state).map_err(|error| LinkingError::State(error.to_string()))
}
