//! Second factors and step-up (re-authentication).

mod begin_step_up;
mod begin_step_up_passkey;
mod begin_totp_enrollment;
pub(crate) mod complete_step_up;
mod confirm_totp_enrollment;
mod disable_totp;
mod get_two_factor_status;
pub(crate) mod guesses;
pub(crate) mod recovery_codes;
mod resend_step_up_code;
pub(crate) mod strong_factors;

pub use begin_step_up::StepUpAsked;
pub use begin_step_up_passkey::BeginStepUpPasskey;
pub use begin_totp_enrollment::TotpOffered;
pub use complete_step_up::{CompleteStepUp, SteppedUp};
pub use confirm_totp_enrollment::ConfirmTotpEnrollment;
pub use get_two_factor_status::TwoFactorStatus;
pub use resend_step_up_code::ResendStepUpCode;
