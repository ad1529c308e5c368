//! accounts.v1.Accounts, operation by operation.

mod api_keys;
mod credentials;
mod memberships;
mod passkeys;
mod step_up;
mod totp;
