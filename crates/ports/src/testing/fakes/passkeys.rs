//! WebAuthn without cryptography: a registration is answered by repeating its challenge.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::passkeys::{Begun, PasskeyError, Passkeys, Registered, Registrant};

/// Takes the answer that [`FakePasskeys::answer`] gives, and no other.
#[derive(Debug, Default)]
pub struct FakePasskeys {
    begun: AtomicU64,
}

impl FakePasskeys {
    /// What an authenticator answers to these creation options.
    pub fn answer(options: &str) -> String {
        options.replace("publicKey", "answer")
    }
}

impl Passkeys for FakePasskeys {
    fn begin(&self, registrant: &Registrant<'_>) -> Result<Begun, PasskeyError> {
        let count = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let options = format!(r#"{{"publicKey":{{"challenge":"{count}","user":"{}"}}}}"#, registrant.user_id);
        Ok(Begun { state: options.clone(), options })
    }

    fn finish(&self, state: &str, credential: &str) -> Result<Registered, PasskeyError> {
        if !credential.contains("answer") {
            return Err(PasskeyError::Malformed);
        }
        if credential != Self::answer(state) {
            return Err(PasskeyError::Refused);
        }
        Ok(Registered { credential_id: state.as_bytes().to_vec(), credential: credential.to_owned(), backed_up: false })
    }
}
