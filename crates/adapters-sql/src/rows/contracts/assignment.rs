//! `assignments`: which trading accounts work for which pool.

use sea_orm::entity::prelude::*;
use tradepost_domain::contracts::assignment::{Assignee, Assignment, AssignmentTerms};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::trading::trading_account::{roles_of_column, roles_to_column};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "assignments")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub pool_id: Uuid,
    pub account_id: Option<Uuid>,
    pub account_group_id: Option<Uuid>,
    pub roles: i16,
    pub priority: i64,
    pub max_open_purchases: Option<i64>,
    pub max_items: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Assignment {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (account_id, account_group_id) = match self.assignee {
            Assignee::Account(id) => (Some(uuid(id)), None),
            Assignee::Group(id) => (None, Some(uuid(id))),
        };
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            pool_id: uuid(self.pool_id),
            account_id,
            account_group_id,
            roles: roles_to_column(&self.terms.roles),
            priority: i64::from(self.terms.priority),
            max_open_purchases: self.terms.max_open_purchases.map(i64::from),
            max_items: self.terms.max_items.map(i64::from),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "assignments", home: row.workspace_id, key: row.id };
        let assignee = match (row.account_id, row.account_group_id) {
            (Some(account), None) => Assignee::Account(id(account)),
            (None, Some(group)) => Assignee::Group(id(group)),
            (None, None) | (Some(_), Some(_)) => return Err(at.corrupt("account_id", &"with a group, or neither")),
        };
        let limit = |column, most: Option<i64>| most.map(|most| at.number(column, most)).transpose();
        let assignment = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            pool_id: id(row.pool_id),
            assignee,
            terms: AssignmentTerms {
                roles: roles_of_column(at, "roles", row.roles)?,
                priority: at.number("priority", row.priority)?,
                max_open_purchases: limit("max_open_purchases", row.max_open_purchases)?,
                max_items: limit("max_items", row.max_items)?,
            },
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(assignment, row.version))
    }
}
