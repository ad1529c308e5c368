//! What is answered without a call: writes, and reads of accounts without a token.

use std::num::NonZeroU64;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use tradepost_adapters_outside::Egress;
use tradepost_ports::external::Effect;
use tradepost_ports::game_platform::sessions::VaultUnavailable;
use tradepost_ports::game_platform::{CONFIRMS_OFFER, ConfirmationHandle};

use super::*;
use crate::addresses::Addresses;
use crate::services::Limits;

/// A vault that always answers this.
struct Vault(Result<Option<SecretString>, VaultUnavailable>);

#[async_trait]
impl TokenVault for Vault {
    async fn access_token(&self, _: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable> {
        self.0.clone()
    }
}

/// A token that names this account.
fn token_of(user: PlatformUserId) -> SecretString {
    let payload = URL_SAFE_NO_PAD.encode(format!(r#"{{"sub":"{user}","exp":1}}"#));
    SecretString::from(format!("e30.{payload}.c2ln"))
}

/// The platform, of which the operator admits no host.
fn platform(token: Result<Option<SecretString>, VaultUnavailable>) -> SteamPlatform {
    let services = Services::connect(&Egress::default(), &Addresses::default(), Limits::default()).unwrap();
    SteamPlatform::new(services, Arc::new(Vault(token)))
}

fn account() -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::new(76_561_198_046_968_201).unwrap())
}

fn id(text: &str) -> ExternalId {
    ExternalId::new(text).unwrap()
}

fn is_not_done<T: fmt::Debug>(answer: PlatformResult<T>) {
    let Err(ExternalError::Rejected(PlatformRefusal::NotDone(text))) = answer else { panic!("{answer:?}") };
    assert!(text.starts_with("giving is not enabled for the account"), "{text}");
}

#[tokio::test]
async fn what_would_change_anything_is_rejected_without_a_call_where_no_one_lets_the_account_give() {
    let (platform, account, id) = (platform(Ok(None)), account(), id("1"));
    let confirmation = Confirmation {
        id: id.clone(),
        handle: ConfirmationHandle::default(),
        kind: CONFIRMS_OFFER,
        kind_name: String::new(),
        creator: id.clone(),
        headline: String::new(),
        summary: Vec::new(),
        created_at: Timestamp::MIN,
    };
    let to = tradepost_domain::trading::trade::TradeAddress { user: account, token: id.clone() };
    let offer = NewOffer { to, give: Vec::new(), receive: Vec::new(), message: None };
    is_not_done(platform.accept(account, &id).await);
    is_not_done(platform.decline(account, &id).await);
    is_not_done(platform.cancel(account, &id).await);
    is_not_done(platform.send(account, &offer).await);
    is_not_done(platform.answer(account, &confirmation, ConfirmationAnswer::Allow).await);
    is_not_done(platform.renew_trade_token(account).await);
}

#[tokio::test]
async fn an_account_without_a_token_is_signed_out() {
    let lost = ExternalError::AuthLost { effect: Effect::Nothing };
    let platform = platform(Ok(None));
    assert_eq!(platform.account(account()).await, Err(lost.clone()));
    assert_eq!(platform.trade_token(account()).await, Err(lost.clone()));
    assert_eq!(platform.confirmations(account()).await, Err(lost.clone()));
    assert_eq!(platform.offers(account(), Timestamp::MIN).await, Err(lost));
}

#[tokio::test]
async fn a_closed_vault_proves_nothing_of_an_account() {
    let platform = platform(Err(VaultUnavailable("sealed".to_owned())));
    let answer = platform.trades(account(), Timestamp::MIN).await;
    assert!(matches!(answer, Err(ExternalError::Unknown(_))), "{answer:?}");
}

#[tokio::test]
async fn a_token_of_another_account_is_not_used() {
    let other = PlatformUserId::new(account().number().checked_add(1).unwrap());
    for token in [token_of(other), SecretString::from("no token")] {
        let answer = platform(Ok(Some(token))).trade_token(account()).await;
        assert_eq!(answer, Err(ExternalError::AuthLost { effect: Effect::Nothing }));
    }
}

#[tokio::test]
async fn a_position_and_an_id_that_steam_never_gave_are_not_found() {
    let platform = platform(Ok(Some(token_of(account()))));
    let unknown = id("no-such-thing");
    let not_found = ExternalError::Rejected(PlatformRefusal::NotFound);
    let offers = platform.offers_page(account(), Timestamp::MIN, Some(&unknown)).await;
    let trades = platform.trades_page(account(), Timestamp::MIN, Some(&unknown)).await;
    assert_eq!((offers, trades), (Err(not_found.clone()), Err(not_found.clone())));
    assert_eq!(platform.offer(account(), &unknown).await, Err(not_found.clone()));
    assert_eq!(platform.trade(account(), &unknown).await, Err(not_found));
}

#[tokio::test]
async fn a_host_that_the_operator_does_not_admit_is_not_called() {
    let platform = platform(Ok(Some(token_of(account()))));
    let answer = platform.offer(account(), &id("7")).await;
    let Err(ExternalError::Rejected(PlatformRefusal::Other(text))) = answer else { panic!("{answer:?}") };
    assert!(text.starts_with("it is not called: "), "{text}");
    assert_eq!(format!("{platform:?}"), "SteamPlatform");
}
