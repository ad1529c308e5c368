//! The connector of providers: accounts of a desk that have to be signed in, and those that do not.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::sync::Arc;

use secrecy::SecretString;
use tradepost_adapters_simulator::WorldConnector;
use tradepost_domain::markets::desk::DeskAccount;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::text::{Description, Name};
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::connector::{ConnectedPlatform, Connector as _, NotConnected, ProviderLink};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::sessions::{SignInAs, TokenVault};
use tradepost_testkit::samples::{Samples, text};

use super::Far;
use crate::desk::CUSTOMER;
use crate::signing::{EmptyVault, OneToken};

const FIRST: u64 = 76_561_198_000_000_001;

fn account(name: &str, number: u64) -> DeskAccount {
    let user = PlatformUserId::new(NonZeroU64::new(number).unwrap());
    DeskAccount { name: text(name), address: TradeAddress { user, token: text("token") } }
}

/// A game platform on record with these settings, in addition to the world and the customer.
fn link(settings: &[(&str, &str)]) -> ProviderLink {
    let samples = Samples::seeded(1);
    let mut provider = samples.provider(samples.id(), ProviderKind::GamePlatform);
    let known = [("world", "main"), ("customer", CUSTOMER)];
    let named = |(name, value): &(&str, &str)| -> (Name, Description) { (text(name), text(value)) };
    provider.settings = known.iter().chain(settings).map(named).collect();
    ProviderLink { provider, credentials: BTreeMap::new() }
}

async fn connect(
    far: &Far,
    settings: &[(&str, &str)],
    accounts: &[DeskAccount],
    vault: Arc<dyn TokenVault>,
) -> Result<ConnectedPlatform, NotConnected> {
    let worlds = BTreeMap::from([(text("main"), far.process.url())]);
    WorldConnector::new(worlds).unwrap().game_platform(&link(settings), accounts, vault).await
}

#[tokio::test]
async fn accounts_trade_without_a_sign_in_unless_the_provider_requires_it() {
    let (far, accounts, off) = (Far::quiet().await, [account("bot-1", FIRST)], [("sign_in", "off")]);
    for settings in [&off[..0], &off[..]] {
        let connected = connect(&far, settings, &accounts, Arc::new(EmptyVault)).await.unwrap();
        assert!(connected.platform.account(accounts[0].address.user).await.is_ok());
    }
}

#[tokio::test]
async fn a_required_sign_in_is_by_the_account_name_and_outlives_another_connection() {
    let (far, accounts, settings) = (Far::quiet().await, [account("bot-1", FIRST)], [("sign_in", "required")]);
    let user = accounts[0].address.user;
    let connected = connect(&far, &settings, &accounts, Arc::new(EmptyVault)).await.unwrap();
    let signed_out = ExternalError::AuthLost { effect: Effect::Nothing };
    assert_eq!(connected.platform.account(user).await.err(), Some(signed_out));

    let sessions = connected.sessions.unwrap();
    let [login_name, password] = ["bot-1", "simulated"].map(SecretString::from);
    let begun = sessions.begin(&SignInAs { login_name, password }).await.unwrap();
    let tokens = sessions.poll(&begun.attempt).await.unwrap().unwrap();
    let again = connect(&far, &settings, &accounts, Arc::new(OneToken(tokens.access))).await.unwrap();
    assert!(again.platform.account(user).await.is_ok());
    assert!(again.social.unwrap().friends(user).await.is_ok());
}

#[tokio::test]
async fn of_two_accounts_with_one_name_that_sign_in_one_is_refused() {
    let accounts = [account("bot-1", FIRST), account("bot-1", FIRST + 1)];
    let far = Far::quiet().await;
    let connected = connect(&far, &[("sign_in", "required")], &accounts, Arc::new(EmptyVault)).await.unwrap();
    let why = NotConnected("another trading account has this login name".to_owned());
    assert_eq!(connected.refused, vec![(accounts[1].name.clone(), why)]);
}

#[tokio::test]
async fn an_unknown_value_of_the_setting_is_named_with_the_known_ones() {
    let far = Far::quiet().await;
    let refused = connect(&far, &[("sign_in", "maybe")], &[], Arc::new(EmptyVault)).await.err();
    let why = r#"its setting "sign_in" is "maybe"; allowed are "off" and "required""#;
    assert_eq!(refused, Some(NotConnected(why.to_owned())));
}
