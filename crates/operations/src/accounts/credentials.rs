//! Passwords, addresses and linked accounts by which users sign in.

mod account_links;
pub(crate) mod add_email_credential;
mod cancel_email_change;
mod change_email;
mod change_password;
pub(crate) mod email_links;
pub(crate) mod linking;
mod list_credentials;
pub(crate) mod new_password;
mod request_password_reset;
mod resend_email_verification;
mod reset_password;
pub(crate) mod sign_in_methods;

pub use account_links::UnlinkAccount;
pub use add_email_credential::AddEmailCredential;
pub use change_email::ChangeEmail;
pub use change_password::ChangePassword;
pub use email_links::{ConfirmAddress, FollowEmailLink};
pub use linking::{BeginLink, BegunLink, FinishLink};
pub use list_credentials::Credentials;
pub use request_password_reset::RequestPasswordReset;
pub use resend_email_verification::ResendEmailVerification;
pub use reset_password::ResetPassword;
