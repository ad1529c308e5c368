//! Sessions of trading accounts at their game platform: what people start, answer and end, and what an engine reports of them.

mod complete_sign_in;
mod end_account_session;
mod follow_sign_ins;
mod read;
mod session_code;
pub(crate) mod session_moves;
pub(crate) mod session_tokens;
pub(crate) mod start_account_session;
pub(crate) mod working_session;

pub use complete_sign_in::CompleteAccountSignIn;
pub use end_account_session::EndAccountSession;
pub use follow_sign_ins::{LiveAccountSessions, ReadSignIn, RecordSessionStep};
pub use read::*;
pub use session_code::{SubmitAccountSessionCode, TakeSessionCode};
pub use session_tokens::{AccountTokens, ReadSessionTokens};
pub use start_account_session::{StartAccountSession, StartSessionAgain};
