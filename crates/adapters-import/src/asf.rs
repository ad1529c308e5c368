//! The folder of `ArchiSteamFarm`: the configuration of each bot, and its database with the mobile authenticator.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use serde_json::{Map, Value};
use tradepost_ports::imports::{ReadAccount, ReadFault, ReadField, UnreadableImport};

use crate::bundle::{Bundle, object_in};
use crate::object;

/// The names under which versions of the program keep the authenticator.
const AUTHENTICATOR: [&str; 3] = ["BackingMobileAuthenticator", "MobileAuthenticator", "_MobileAuthenticator"];
/// The names of tokens, whose subject is the account.
const TOKENS: [&str; 4] = ["BackingAccessToken", "AccessToken", "BackingRefreshToken", "RefreshToken"];
/// The configuration of the program itself.
const OWN: &str = "asf";

/// A bot's two files.
#[derive(Default)]
struct Bot<'a> {
    config: Option<&'a Value>,
    database: Option<&'a Value>,
}

/// Reads a folder.
pub(crate) fn read(text: &str) -> Result<Vec<ReadAccount>, UnreadableImport> {
    let bundle = Bundle::read(text)?;
    let mut bots: BTreeMap<&str, Bot<'_>> = BTreeMap::new();
    for (name, config) in bundle.ending_in(".json").filter(|(name, _)| !name.eq_ignore_ascii_case(OWN)) {
        bots.entry(name).or_default().config = Some(config);
    }
    for (name, database) in bundle.ending_in(".db").filter(|(name, _)| !name.eq_ignore_ascii_case(OWN)) {
        bots.entry(name).or_default().database = Some(database);
    }
    Ok(bots.into_iter().map(|(name, bot)| account(name, &bot)).collect())
}

fn account(name: &str, bot: &Bot<'_>) -> ReadAccount {
    let read = fields(bot).unwrap_or_else(|fault| ReadAccount { fault: Some(fault), ..ReadAccount::default() });
    ReadAccount { name: Some(name.to_owned()), ..read }
}

fn fields(bot: &Bot<'_>) -> Result<ReadAccount, ReadFault> {
    let broken = || object::invalid("a file of the bot is not a JSON object");
    let open = |file: Option<&Value>| file.map_or_else(|| Some(Map::new()), object_in).ok_or_else(broken);
    let (config, database) = (open(bot.config)?, open(bot.database)?);
    let authenticator = AUTHENTICATOR.iter().find_map(|name| database.get(*name)?.as_object());
    let mut read = authenticator.map(object::account).unwrap_or_default();
    if let Some(fault) = read.fault {
        return Err(fault);
    }
    read.platform_user_id = read.platform_user_id.or_else(|| subject(&database));
    let login = object::scalar(&config, "SteamLogin")?;
    // Any other format of the password is encrypted for the machine of the program.
    let is_plain = object::scalar(&config, "PasswordFormat")?.is_none_or(|format| format == "0");
    let password = object::scalar(&config, "SteamPassword")?.filter(|_| is_plain);
    for (field, value) in [(ReadField::LoginName, login), (ReadField::Password, password)] {
        if let Some(value) = value.filter(|_| read.field(field).is_none()) {
            read.fields.push((field, SecretString::from(value)));
        }
    }
    Ok(read)
}

/// Returns the account of which a token of the database speaks.
fn subject(database: &Map<String, Value>) -> Option<String> {
    TOKENS.iter().find_map(|name| {
        let claims = database.get(*name)?.as_str()?.split('.').nth(1)?;
        let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
        object::scalar(claims.as_object()?, "sub").ok().flatten()
    })
}
