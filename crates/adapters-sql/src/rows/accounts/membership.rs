//! `memberships`: users in workspaces, and invitations.

use sea_orm::entity::prelude::*;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::membership::{Membership, State, Status};
use tradepost_domain::accounts::policy::{PolicySet, Role};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "memberships")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub invitee: Option<String>,
    pub invitee_key: Option<String>,
    pub role: i16,
    pub policies: i16,
    pub status: i16,
    pub user_id: Option<Uuid>,
    pub expires_at: Option<i64>,
    pub invitation_digest: Option<Vec<u8>>,
    pub workspace_deleted: bool,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Membership {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            invitee: self.invitee.as_ref().map(|invitee| invitee.as_str().to_owned()),
            invitee_key: self.invitee.as_ref().map(|invitee| invitee.key().to_owned()),
            role: self.role.code(),
            policies: i16::from(self.policies.bits()),
            status: self.status().code(),
            user_id: self.user_id().map(uuid),
            expires_at: self.expires_at().map(Timestamp::as_micros),
            invitation_digest: self.token().map(|digest| digest.0.to_vec()),
            workspace_deleted: self.workspace_deleted,
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "memberships", home: row.workspace_id, key: row.id };
        let user_id = || at.present("user_id", row.user_id).map(id);
        let state = match at.code("status", row.status, Status::from_code)? {
            Status::Invited => {
                let expires_at = at.present("expires_at", row.expires_at)?;
                let digest = row.invitation_digest.map(|bytes| at.bytes("invitation_digest", &bytes)).transpose()?;
                State::Invited { expires_at: at.time("expires_at", expires_at)?, token: digest.map(TokenDigest) }
            }
            Status::Accepted => State::Accepted { user_id: user_id()? },
            Status::Suspended => State::Suspended { user_id: user_id()? },
            Status::Declined => State::Declined,
            Status::Revoked => State::Revoked,
            Status::Expired => State::Expired,
            Status::Removed => State::Removed { user_id: user_id()? },
            Status::Left => State::Left { user_id: user_id()? },
        };
        let membership = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            invitee: at.read_some("invitee", row.invitee, |email| EmailAddress::new(&email))?,
            role: at.code("role", row.role, Role::from_code)?,
            policies: at.policies("policies", row.policies)?,
            state,
            workspace_deleted: row.workspace_deleted,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(membership, row.version))
    }
}

impl RowLocation {
    /// Returns the set of policies with a stored number.
    pub(crate) fn policies(&self, column: &str, bits: i16) -> StoreResult<PolicySet> {
        self.code(column, bits, |bits| u8::try_from(bits).ok().and_then(PolicySet::from_bits))
    }
}
