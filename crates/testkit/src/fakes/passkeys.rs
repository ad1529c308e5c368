//! WebAuthn without cryptography. A registration is answered by repeating its challenge. The question for a passkey is answered in the same
//! way, with the name of the credential and its counter.

use std::sync::atomic::{AtomicU64, Ordering};

use tradepost_domain::id::UserId;

use tradepost_ports::passkeys::{PasskeyChallenge, PasskeyError, PasskeyProof, Passkeys, Registered, Registrant};

/// Accepts the answer that [`FakePasskeys::answer`] returns, and no other.
#[derive(Debug, Default)]
pub struct FakePasskeys {
    begun: AtomicU64,
}

impl FakePasskeys {
    /// Returns an authenticator's answer to these creation options.
    pub fn answer(options: &str) -> String {
        options.replace("publicKey", "answer")
    }

    /// Returns the answer of an authenticator that holds a credential to the question for one of them.
    pub fn proof(options: &str, credential_id: &[u8], counter: u32) -> String {
        format!("{}\n{}\n{counter}", Self::answer(options), String::from_utf8_lossy(credential_id))
    }

    /// Returns the same for the question for any credential, whose answer names the user.
    pub fn proof_of(user: UserId, proof: &str) -> String {
        format!("{proof}\n{user}")
    }
}

impl Passkeys for FakePasskeys {
    fn origins(&self) -> Vec<String> {
        vec!["https://trade.example.com".to_owned()]
    }

    fn begin(&self, registrant: &Registrant<'_>) -> Result<PasskeyChallenge, PasskeyError> {
        let count = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let options = format!(r#"{{"publicKey":{{"challenge":"{count}","user":"{}"}}}}"#, registrant.user_id);
        Ok(PasskeyChallenge { state: options.clone(), options })
    }

    fn finish(&self, state: &str, credential: &str) -> Result<Registered, PasskeyError> {
        if !credential.contains("answer") {
            return Err(PasskeyError::Malformed);
        }
        if credential != Self::answer(state) {
            return Err(PasskeyError::Refused);
        }
        Ok(Registered {
            credential_id: state.as_bytes().to_vec(),
            credential: "0".to_owned(),
            backed_up: false,
            authenticator: None,
        })
    }

    fn ask(&self, kept: &[String]) -> Result<PasskeyChallenge, PasskeyError> {
        let count = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let options = format!(r#"{{"publicKey":{{"challenge":"{count}","allowed":{}}}}}"#, kept.len());
        Ok(PasskeyChallenge { state: options.clone(), options })
    }

    fn named_by(&self, answer: &str) -> Result<Vec<u8>, PasskeyError> {
        let ([_, named, _], _) = parts(answer)?;
        Ok(named.as_bytes().to_vec())
    }

    fn user_named_by(&self, answer: &str) -> Result<UserId, PasskeyError> {
        let (_, user) = parts(answer)?;
        user.and_then(|user| user.parse().ok()).ok_or(PasskeyError::Malformed)
    }

    fn verify(&self, state: &str, answer: &str, kept: &str) -> Result<PasskeyProof, PasskeyError> {
        let ([challenge, _, counter], _) = parts(answer)?;
        if challenge != Self::answer(state) {
            return Err(PasskeyError::Refused);
        }
        let [counter, kept] = [counter, kept].map(|count| count.parse::<u32>().unwrap_or_default());
        if counter <= kept {
            return Err(PasskeyError::Copied);
        }
        Ok(PasskeyProof { credential: counter.to_string(), backed_up: true })
    }
}

/// Returns answer, credential and counter, and the user if the answer names one.
fn parts(answer: &str) -> Result<([&str; 3], Option<&str>), PasskeyError> {
    match *answer.split('\n').collect::<Vec<_>>() {
        [answer, credential, counter] => Ok(([answer, credential, counter], None)),
        [answer, credential, counter, user] => Ok(([answer, credential, counter], Some(user))),
        _ => Err(PasskeyError::Malformed),
    }
}
