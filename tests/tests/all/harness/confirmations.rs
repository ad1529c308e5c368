//! Confirmations of a world, as an engine would have recorded them.

use tradepost_domain::id::{ConfirmationId, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_operations::Caller;
use tradepost_operations::trading::{GetAccount, RecordConfirmations};
use tradepost_ports::game_platform::{Confirmation, ConfirmationHandle};
use tradepost_testkit::samples::start;

use super::World;

/// What waits for the first trading account: the platform's id, and its number of the kind.
const WAITING: [(u64, u32); 3] = [(9_001, 2), (9_002, 2), (9_003, 9)];

/// One of those that wait.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WaitingFor {
    /// Of a trade offer.
    Approval = 0,
    /// Of another trade offer.
    Denial = 1,
    /// Of a key for the platform's interface.
    ApiKey = 2,
}

fn shown(id: u64, kind: u32) -> Confirmation {
    Confirmation {
        id: ExternalId::from(id),
        handle: ConfirmationHandle::default(),
        kind,
        kind_name: "Trade Offer".to_owned(),
        creator: ExternalId::from(id + 100),
        headline: "Partner".to_owned(),
        summary: vec!["You will give up your AK-47 | Redline (Field-Tested)".to_owned()],
        created_at: start(),
    }
}

impl World {
    /// The confirmation of the first trading account that waits for something, recorded by the first who asks for it.
    pub(crate) async fn confirmation(&self, waiting: WaitingFor) -> ConfirmationId {
        self.confirmation_of(self.desk.workspace_id, waiting).await
    }

    /// The same in a workspace.
    pub(crate) async fn confirmation_of(&self, workspace_id: WorkspaceId, waiting: WaitingFor) -> ConfirmationId {
        let (operations, system) = (self.app.operations(), Caller::system());
        let account_id = self.account_of(workspace_id, 1).await;
        let account = operations.get_account(&system, GetAccount { workspace_id, account_id }).await.unwrap();
        let (account_name, shown) = (account.value.name.clone(), WAITING.map(|(id, kind)| shown(id, kind)).to_vec());
        let wanted = shown[waiting as usize].id.clone();
        let report = RecordConfirmations { workspace_id, account_name, shown };
        let open = operations.record_confirmations(&system, &report).await.unwrap();
        open.into_iter().find(|open| open.value.shown.platform_id == wanted).unwrap().value.id
    }
}
