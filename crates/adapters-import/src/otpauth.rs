//! Lines of `otpauth://`, as `WinAuth` exports authenticators. Those of other services are left out.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use data_encoding::BASE32_NOPAD;
use percent_encoding::percent_decode_str;
use secrecy::SecretString;
use tradepost_ports::imports::{ReadAccount, ReadFault, ReadField, ReasonCode, UnreadableImport};
use zeroize::Zeroizing;

use crate::{must, object};

const SCHEME: &str = "otpauth://";
const SERVICE: &str = "steam";

/// A line, split into its parts.
struct Address {
    kind: String,
    label: String,
    query: Vec<(String, String)>,
}

/// Reads lines.
pub(crate) fn read(text: &str) -> Result<Vec<ReadAccount>, UnreadableImport> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let accounts: Vec<ReadAccount> = lines.filter_map(line).collect();
    if accounts.is_empty() {
        return Err(must("have a line of otpauth:// whose issuer is Steam"));
    }
    Ok(accounts)
}

fn line(line: &str) -> Option<ReadAccount> {
    let Some(address) = Address::of(line) else {
        return Some(object::unreadable("the line is not an address of otpauth://"));
    };
    address.is_of_steam().then(|| address.account())
}

impl Address {
    fn of(line: &str) -> Option<Self> {
        let rest = line.split_at_checked(SCHEME.len()).filter(|(scheme, _)| scheme.eq_ignore_ascii_case(SCHEME))?.1;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (kind, label) = path.split_once('/')?;
        let label = percent_decode_str(label).decode_utf8().ok()?.into_owned();
        let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        Some(Self { kind: kind.to_ascii_lowercase(), label, query })
    }

    fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    fn is_of_steam(&self) -> bool {
        let issuer = self.parameter("issuer").or_else(|| self.label.split_once(':').map(|(issuer, _)| issuer));
        self.kind == SERVICE || issuer.is_some_and(|issuer| issuer.trim().eq_ignore_ascii_case(SERVICE))
    }

    /// Returns the name behind the issuer.
    fn login(&self) -> Option<&str> {
        let name = self.label.split_once(':').map_or(self.label.as_str(), |(_, name)| name).trim();
        Some(name).filter(|name| !name.is_empty())
    }

    fn account(&self) -> ReadAccount {
        let mut read = self.data().unwrap_or_default();
        if let Some(number) = self.parameter("steamid") {
            read.platform_user_id = Some(number.to_owned());
        }
        match self.parameter("secret").map(base64_of) {
            Some(Some(secret)) => set(&mut read, ReadField::SharedSecret, &secret),
            Some(None) => {
                let detail = "the secret of the address is not Base32".to_owned();
                read.fault = Some(ReadFault { code: ReasonCode::SecretInvalid, detail });
            }
            None => {}
        }
        for (field, value) in [(ReadField::LoginName, self.login()), (ReadField::DeviceId, self.parameter("deviceid"))]
        {
            if let Some(value) = value.filter(|_| read.field(field).is_none()) {
                set(&mut read, field, value);
            }
        }
        read
    }

    /// Returns the account of the JSON that `WinAuth` adds.
    fn data(&self) -> Option<ReadAccount> {
        let data = serde_json::from_str::<serde_json::Value>(self.parameter("data")?).ok()?;
        data.as_object().map(object::account)
    }
}

fn set(read: &mut ReadAccount, field: ReadField, value: &str) {
    read.fields.retain(|(of, _)| *of != field);
    read.fields.push((field, SecretString::from(value)));
}

/// Returns a secret in Base64 that an address has in Base32.
fn base64_of(secret: &str) -> Option<Zeroizing<String>> {
    let plain = Zeroizing::new(secret.trim_end_matches('=').to_ascii_uppercase());
    let bytes = Zeroizing::new(BASE32_NOPAD.decode(plain.as_bytes()).ok()?);
    Some(Zeroizing::new(STANDARD.encode(bytes.as_slice())))
}
