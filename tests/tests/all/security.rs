//! What an attacker would try, with figures: docs/explanation/security.md and attacks.md have a row for each test here.

mod callers;
pub(crate) mod canaries;
mod matrix;
mod passwords;
mod revocation;
mod root_secrets;
mod sealing;
mod single_use;
mod single_use_enrolments;
mod single_use_factors;
mod step_ups;
mod tampering;
mod tenants;
mod timing;
