//! API keys.

pub(crate) mod create_api_key;
mod issue_api_key;
mod read;
mod report_leaked_api_key;
mod revoke_api_key;
mod rotate_api_key;
mod update_api_key;

pub use create_api_key::{CreateApiKey, CreatedKey};
pub use issue_api_key::IssueApiKey;
pub use read::*;
pub use report_leaked_api_key::ReportLeakedApiKey;
pub use revoke_api_key::RevokeApiKey;
pub use rotate_api_key::RotateApiKey;
pub use update_api_key::UpdateApiKey;
