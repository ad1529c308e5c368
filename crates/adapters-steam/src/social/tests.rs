//! What is answered without a call, and what a failed call means for this port.

use std::num::NonZeroU64;
use std::time::Duration;

use secrecy::SecretString;
use tradepost_adapters_outside::Egress;
use tradepost_ports::external::Effect;
use tradepost_ports::game_platform::sessions::VaultUnavailable;

use super::*;
use crate::addresses::Addresses;
use crate::services::Limits;

/// A vault that always answers this, and has no change on record as begun.
struct Vault(Result<Option<SecretString>, VaultUnavailable>);

#[async_trait]
impl TokenVault for Vault {
    async fn access_token(&self, _: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable> {
        self.0.clone()
    }
}

/// Friends and chats, where the operator admits no host.
fn social(token: Result<Option<SecretString>, VaultUnavailable>) -> SteamSocial {
    let services = Services::connect(&Egress::default(), &Addresses::default(), Limits::default()).unwrap();
    SteamSocial::new(services, Arc::new(Vault(token)))
}

fn account() -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::new(76_561_198_046_968_201).unwrap())
}

fn is_not_on_record<T: fmt::Debug>(answer: SocialResult<T>) {
    let Err(ExternalError::Rejected(SocialRefusal::NotDone(text))) = answer else { panic!("{answer:?}") };
    assert!(text.starts_with("no request for this is on record as begun"), "{text}");
}

#[tokio::test]
async fn a_change_that_is_not_on_record_is_rejected_without_a_call() {
    let (social, one, id) = (social(Ok(None)), account(), ExternalId::new("1").unwrap());
    is_not_on_record(social.add(one, one).await);
    is_not_on_record(social.accept(one, one).await);
    is_not_on_record(social.remove(one, one).await);
    is_not_on_record(social.block(one, one).await);
    is_not_on_record(social.unblock(one, one).await);
    is_not_on_record(social.say(one, one, &ChatText::plain("hi"), &id).await);
    is_not_on_record(social.mark_read(one, one, Timestamp::MIN).await);
}

#[tokio::test]
async fn an_account_without_a_token_is_signed_out_and_a_closed_vault_proves_nothing() {
    let lost = ExternalError::AuthLost { effect: Effect::Nothing };
    let signed_out = social(Ok(None));
    assert_eq!(signed_out.friends(account()).await, Err(lost.clone()));
    assert_eq!(signed_out.conversations(account()).await, Err(lost.clone()));
    assert_eq!(signed_out.messages(account(), account(), None).await, Err(lost));
    let closed = social(Err(VaultUnavailable("sealed".to_owned()))).friends(account()).await;
    assert!(matches!(closed, Err(ExternalError::Unknown(_))), "{closed:?}");
    assert_eq!(format!("{signed_out:?}"), "SteamSocial");
}

#[test]
fn an_error_stays_what_it_is() {
    let of = |error: ExternalError<PlatformRefusal>| of_social::<()>(Err(error));
    let text = || "no".to_owned();
    let rejected = |refusal| Err(ExternalError::Rejected(refusal));
    assert_eq!(of(ExternalError::Rejected(PlatformRefusal::NotFound)), rejected(SocialRefusal::NotFound));
    assert_eq!(of(ExternalError::Rejected(PlatformRefusal::Other(text()))), rejected(SocialRefusal::Other(text())));
    assert_eq!(of(ExternalError::Rejected(PlatformRefusal::NotDone(text()))), rejected(SocialRefusal::NotDone(text())));
    let other = SocialRefusal::Other("the offer makes no sense".to_owned());
    assert_eq!(of(ExternalError::Rejected(PlatformRefusal::EmptyOffer)), rejected(other));
    assert_eq!(of(ExternalError::Unknown(text())), Err(ExternalError::Unknown(text())));
    let (retry_after, effect) = (Duration::from_secs(7), Effect::Nothing);
    let limited = of(ExternalError::RateLimited { retry_after, effect });
    assert_eq!(limited, Err(ExternalError::RateLimited { retry_after, effect }));
    assert_eq!(of(ExternalError::AuthLost { effect }), Err(ExternalError::AuthLost { effect }));
}
