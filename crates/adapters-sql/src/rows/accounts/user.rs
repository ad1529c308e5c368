//! `users`: people with their address and password.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::password::PasswordHash;
use tradepost_domain::accounts::preferences::{Locale, Preferences, TimeZone};
use tradepost_domain::accounts::user::{Password, User};
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "users")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub display_name: String,
    pub locale: Option<String>,
    pub time_zone: Option<String>,
    pub email: Option<String>,
    pub email_key: Option<String>,
    pub password_hash: Option<String>,
    pub password_changed_at: Option<i64>,
    pub email_changed_at: Option<i64>,
    pub disabled: bool,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for User {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            id: uuid(self.id),
            display_name: self.display_name.to_string(),
            locale: self.preferences.locale.as_ref().map(ToString::to_string),
            time_zone: self.preferences.time_zone.as_ref().map(ToString::to_string),
            email: self.email.as_ref().map(|email| email.as_str().to_owned()),
            email_key: self.email.as_ref().map(|email| email.key().to_owned()),
            password_hash: self.password.as_ref().map(|password| password.hash.as_str().to_owned()),
            password_changed_at: self.password.as_ref().map(|password| password.changed_at.as_micros()),
            email_changed_at: self.email_changed_at.map(Timestamp::as_micros),
            disabled: self.disabled,
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "users", home: row.id, key: row.id };
        let password = match (row.password_hash, row.password_changed_at) {
            (Some(hash), Some(changed_at)) => Some(Password {
                hash: PasswordHash::new(hash),
                changed_at: at.time("password_changed_at", changed_at)?,
            }),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => return Err(at.corrupt("password_hash", &"without its time")),
        };
        let preferences = Preferences {
            locale: at.read_some("locale", row.locale, |tag| Locale::new(&tag))?,
            time_zone: at.read_some("time_zone", row.time_zone, |name| TimeZone::stored(&name))?,
        };
        let user = Self {
            id: id(row.id),
            display_name: at.read("display_name", Name::new(&row.display_name))?,
            preferences,
            email: at.read_some("email", row.email, |email| EmailAddress::new(&email))?,
            password,
            email_changed_at: at.time_some("email_changed_at", row.email_changed_at)?,
            disabled: row.disabled,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(user, row.version))
    }
}
