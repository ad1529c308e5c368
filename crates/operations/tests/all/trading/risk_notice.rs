//! The risk notice, which is acknowledged before the first secret of an account or provider is stored.

use tradepost_domain::accounts::audit::Fact;
use tradepost_domain::accounts::workspace::{RISK_NOTICE, RiskAcknowledgement, Workspace};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::trading::import::{ImportFormat, ImportKind};
use tradepost_operations::accounts::{AcknowledgeRiskNotice, GetRiskAcknowledgement, ListAuditEvents};
use tradepost_operations::markets::{CreateProvider, ProviderCredentials};
use tradepost_operations::trading::{AccountSecrets, CreateAccount, CreateImport, DefaultsOfImport, UpdateAccount};
use tradepost_operations::{Caller, Code, OpError, OpResult};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::{Records as _, Store as _};
use tradepost_testkit::fakes::example_driver;
use tradepost_testkit::samples::text;

use super::{Staff, refusal};
use crate::harness::World;

const REFUSED: (Code, &str) = (Code::FailedPrecondition, "RISKS_NOT_ACKNOWLEDGED");

impl Staff {
    /// A world in which the risks are not acknowledged.
    async fn before_the_notice() -> Self {
        let world = World::new().await;
        world.operations.offer_driver(example_driver());
        let keeper = world.full_key().await;
        world.step_up(&keeper).await;
        Self { world, keeper }
    }

    fn notice(&self, version: &str) -> AcknowledgeRiskNotice {
        AcknowledgeRiskNotice { workspace_id: self.world.workspace_id, version: version.to_owned() }
    }

    async fn read_notice(&self) -> RiskAcknowledgement {
        self.world.operations.acknowledge_risk_notice(&self.keeper, self.notice(RISK_NOTICE.version)).await.unwrap()
    }

    async fn acknowledgement(&self) -> Option<RiskAcknowledgement> {
        let command = GetRiskAcknowledgement { workspace_id: self.world.workspace_id };
        self.world.operations.get_risk_acknowledgement(&self.keeper, command).await.unwrap()
    }

    /// The text of the notice changes: what was acknowledged is an earlier version.
    pub(super) async fn outdate_the_notice(&self) {
        let (store, at) = (&self.world.store, self.world.clock.now());
        let seen = store.workspaces().find(self.scope()).await.unwrap().unwrap();
        let earlier = RiskAcknowledgement { version: text("2025-01-01"), by: None, at };
        let mut changes = Changes::by(&Caller::system());
        let read = |workspace| Ok::<_, OpError>(Workspace { risks_acknowledged: Some(earlier.clone()), ..workspace });
        changes.revise(seen, read).unwrap();
        store.commit(changes).await.unwrap();
    }

    /// The registration of an account without secrets.
    fn bare(&self, number: u32) -> CreateAccount {
        CreateAccount { secrets: AccountSecrets::default(), ..self.registration(number) }
    }

    async fn change_secrets(&self) -> OpResult<()> {
        let on = &self.world.operations;
        let account = on.create_account(&self.keeper, self.bare(2)).await.unwrap().value;
        let update = UpdateAccount {
            workspace_id: self.world.workspace_id,
            account_id: account.id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: None,
            secrets: self.registration(2).secrets,
            cancel_strange_offers: None,
            giving_limits: None,
            expected_version: None,
        };
        on.update_account(&self.keeper, update).await.map(drop)
    }

    async fn import_accounts(&self) -> OpResult<()> {
        let import = CreateImport {
            workspace_id: self.world.workspace_id,
            kind: ImportKind::Accounts,
            format: ImportFormat::Json,
            content: b"[]".to_vec().into(),
            passphrase: None,
            defaults: DefaultsOfImport::default(),
            name: None,
        };
        self.world.operations.create_import(&self.keeper, import).await.map(drop)
    }

    async fn create_provider(&self) -> OpResult<()> {
        let provider = CreateProvider {
            workspace_id: self.world.workspace_id,
            kind: ProviderKind::Marketplace,
            driver: "example".to_owned(),
            name: "market".to_owned(),
            currency: "USD".to_owned(),
            settings: vec![("customer".to_owned(), "desk".to_owned())],
            credentials: ProviderCredentials(vec![("apiKey".to_owned(), "a key".into())]),
        };
        self.world.operations.create_provider(&self.keeper, provider).await.map(drop)
    }
}

#[tokio::test]
async fn no_secret_of_an_account_is_accepted_before_the_risks_are_acknowledged() {
    let staff = Staff::before_the_notice().await;
    let on = &staff.world.operations;
    assert_eq!(refusal(on.create_account(&staff.keeper, staff.registration(1))).await, REFUSED);
    assert_eq!(refusal(staff.change_secrets()).await, REFUSED);
    staff.read_notice().await;
    assert!(on.create_account(&staff.keeper, staff.registration(1)).await.unwrap().value.has_secrets);
}

#[tokio::test]
async fn an_import_is_not_read_before_the_risks_are_acknowledged() {
    let staff = Staff::before_the_notice().await;
    assert_eq!(refusal(staff.import_accounts()).await, REFUSED);
    staff.read_notice().await;
    // The reader of this world reads nothing: the content itself is rejected now.
    assert_eq!(refusal(staff.import_accounts()).await, (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn no_credentials_of_a_provider_are_accepted_before_the_risks_are_acknowledged() {
    let staff = Staff::before_the_notice().await;
    assert_eq!(refusal(staff.create_provider()).await, REFUSED);
    staff.read_notice().await;
    staff.create_provider().await.unwrap();
}

#[tokio::test]
async fn only_the_present_version_is_acknowledged() {
    let staff = Staff::before_the_notice().await;
    let other = staff.world.operations.acknowledge_risk_notice(&staff.keeper, staff.notice("2025-01-01"));
    assert_eq!(refusal(other).await, (Code::FailedPrecondition, "OTHER_NOTICE_VERSION"));
    assert_eq!(staff.acknowledgement().await, None);
}

#[tokio::test]
async fn a_newer_text_is_acknowledged_again() {
    let staff = Staff::before_the_notice().await;
    staff.outdate_the_notice().await;
    assert_eq!(refusal(staff.create_provider()).await, REFUSED);
    let again = staff.world.operations.acknowledge_risk_notice(&staff.keeper, staff.notice("2025-01-01"));
    assert_eq!(refusal(again).await, (Code::FailedPrecondition, "OTHER_NOTICE_VERSION"));
    assert_eq!(staff.read_notice().await.version, text(RISK_NOTICE.version));
    staff.create_provider().await.unwrap();
}

#[tokio::test]
async fn the_first_user_who_acknowledged_a_version_is_on_record_with_the_time() {
    let staff = Staff::before_the_notice().await;
    let first = staff.read_notice().await;
    assert_eq!(
        (first.by, first.at),
        (staff.keeper.principal.prover().map(|prover| prover.user_id), staff.world.clock.now())
    );
    staff.world.advance(time::Duration::HOUR);
    let (system, notice) = (Caller::system(), staff.notice(RISK_NOTICE.version));
    assert_eq!(staff.world.operations.acknowledge_risk_notice(&system, notice).await.unwrap(), first);
    assert_eq!(staff.acknowledgement().await, Some(first));
    let list = ListAuditEvents {
        workspace_id: staff.world.workspace_id,
        actor_id: None,
        kind: Some("workspace.risks_acknowledged".to_owned()),
        from: None,
        to: None,
        limit: 10,
        cursor: String::new(),
    };
    let listed = staff.world.operations.list_audit_events(&Caller::system(), list).await.unwrap().entries;
    let details: Vec<_> = listed.iter().map(|entry| entry.sealed.event.details.clone()).collect();
    assert_eq!(details.len(), 1);
    assert!(details[0].contains(&(Fact::NoticeVersion, RISK_NOTICE.version.to_owned())), "{details:?}");
}
