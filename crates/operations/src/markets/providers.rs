//! Providers: marketplaces and price sources, and what they report.

mod create_provider;
mod delete_provider;
mod enable_provider;
mod provider_fields;
pub(crate) mod providers;
mod read;
mod record_provider_health;
pub(crate) mod reported_fees;
mod test_provider;
mod update_provider;

pub use create_provider::CreateProvider;
pub use delete_provider::DeleteProvider;
pub use enable_provider::{DisableProvider, EnableProvider};
pub use provider_fields::{ProviderCredentials, ReadProviderCredentials};
pub use providers::ShownProvider;
pub use read::*;
pub use record_provider_health::RecordProviderHealth;
pub use test_provider::TestProvider;
pub use update_provider::UpdateProvider;
