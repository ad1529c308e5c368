//! Providers that cannot be connected: each is logged once, reported after a while, and the report resolved once it is connected.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::{ProviderId, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{OpenRemediation, ResolveRemediation};
use tradepost_operations::{Caller, OpResult, Operations};

use super::connecting::LeftOut;

/// How long a provider cannot be connected before it is reported: a world may begin a little after the server.
const OUTAGE: Duration = Duration::from_mins(1);
/// The most characters of a reason in the evidence of a remediation.
const MOST_OF_REASON: usize = 128;

/// The outages of a workspace.
pub(super) struct Outages {
    operations: Arc<Operations>,
    workspace_id: WorkspaceId,
    known: BTreeMap<ProviderId, State>,
}

/// How a provider was found last.
enum State {
    Connected,
    Out { since: Instant, why: String, is_reported: bool },
}

impl Outages {
    pub(super) const fn new(operations: Arc<Operations>, workspace_id: WorkspaceId) -> Self {
        Self { operations, workspace_id, known: BTreeMap::new() }
    }

    /// Takes in which of the providers that were tried are connected. Each has its turn, also where another one fails.
    pub(super) async fn note(
        &mut self,
        tried: impl Iterator<Item = ProviderId> + Send,
        left_out: &[LeftOut],
    ) -> OpResult<()> {
        let mut noted = Ok(());
        for provider_id in tried {
            noted = noted.and(match left_out.iter().find(|one| one.provider_id == provider_id) {
                Some(one) => self.is_out(one).await,
                None => self.is_connected(provider_id).await,
            });
        }
        noted
    }

    async fn is_out(&mut self, left_out: &LeftOut) -> OpResult<()> {
        let now = left_out.why.to_string();
        let (since, is_reported) = match self.known.get(&left_out.provider_id) {
            Some(State::Out { since, why, is_reported }) if *why == now => (*since, *is_reported),
            before => {
                tracing::warn!(workspace = %self.workspace_id, provider = %left_out.name, why = %now, "provider not connected");
                if let Some(State::Out { since, is_reported, .. }) = before {
                    (*since, *is_reported)
                } else {
                    (Instant::now(), false)
                }
            }
        };
        let is_due = !is_reported && since.elapsed() >= OUTAGE;
        if is_due {
            self.report(left_out, &now).await?;
        }
        let state = State::Out { since, why: now, is_reported: is_reported || is_due };
        self.known.insert(left_out.provider_id, state);
        Ok(())
    }

    /// What an earlier process has reported is resolved with the first connection, too. An engine that cannot read a provider reports it again.
    async fn is_connected(&mut self, provider_id: ProviderId) -> OpResult<()> {
        let before = self.known.insert(provider_id, State::Connected);
        if matches!(before, None | Some(State::Out { is_reported: true, .. })) {
            let (workspace_id, subject) = (self.workspace_id, Subject::Provider(provider_id));
            let resolve = ResolveRemediation { workspace_id, kind: RemediationKind::ProviderDown, subject };
            self.operations.resolve_remediation(&Caller::system(), resolve).await?;
        }
        Ok(())
    }

    async fn report(&self, left_out: &LeftOut, why: &str) -> OpResult<()> {
        let reason: String = why.chars().take(MOST_OF_REASON).collect();
        let evidence = Evidence { found: ExternalId::new(&reason).ok(), ..Evidence::default() };
        let (workspace_id, subject) = (self.workspace_id, Subject::Provider(left_out.provider_id));
        let open = OpenRemediation { workspace_id, kind: RemediationKind::ProviderDown, subject, evidence };
        self.operations.open_remediation(&Caller::system(), open).await.map(drop)
    }
}
