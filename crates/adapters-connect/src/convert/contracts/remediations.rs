//! Remediations on the wire, and what is to be done about them from it.

use connectrpc::ConnectError;
use tradepost_domain::contracts::purchase::{Absence, ListingOutcome};
use tradepost_domain::contracts::remediation::{Evidence, Remediation};
use tradepost_domain::id::Id;
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::{Subject, SubjectKind};
use tradepost_operations::Versioned;
use tradepost_operations::contracts::ActionArgs;

use crate::convert::enums::WireEnum as _;
use crate::convert::{invalid, timestamp, wire_id, wire_time};
use tradepost_proto::contracts::v1 as wire;
use tradepost_proto::contracts::v1::__buffa::view;

pub(crate) fn remediation(Versioned { value, version }: &Versioned<Remediation>) -> wire::Remediation {
    wire::Remediation {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        kind: Some(value.kind.to_wire()),
        severity: Some(value.severity.to_wire()),
        subject_type: Some(value.subject.kind().to_wire()),
        subject_id: Some(value.subject.id_bytes().to_vec()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        evidence: evidence(&value.evidence).into(),
        assignee_id: Some(value.assignee.map(wire_id).unwrap_or_default()),
        allowed_actions: value.allowed_actions().iter().map(|action| action.to_wire()).collect(),
        reason: Some(value.reason.as_ref().map(ToString::to_string).unwrap_or_default()),
        created_at: wire_time(value.created_at).into(),
        last_seen_at: wire_time(value.last_seen_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}

fn evidence(evidence: &Evidence) -> wire::RemediationEvidence {
    let text = |id: &Option<ExternalId>| Some(id.as_ref().map(ToString::to_string).unwrap_or_default());
    wire::RemediationEvidence {
        shown_by: text(&evidence.shown_by),
        expected: text(&evidence.expected),
        found: text(&evidence.found),
    }
}

/// The record whose remediations are listed: kind and id together, or neither.
pub(crate) fn subject(kind: Option<SubjectKind>, id: Option<Id<()>>) -> Result<Option<Subject>, ConnectError> {
    match (kind, id) {
        (Some(kind), Some(id)) => Ok(Some(Subject::new(kind, id.to_bytes()))),
        (None, Some(_)) => Err(invalid("subjectType", "is required with subjectId")),
        (Some(_), None) => Err(invalid("subjectId", "is required with subjectType")),
        (None, None) => Ok(None),
    }
}

/// What an action needs.
pub(crate) fn args(given: Option<&view::RemediationActionArgsView<'_>>) -> Result<ActionArgs, ConnectError> {
    let Some(given) = given else { return Ok(ActionArgs::default()) };
    Ok(ActionArgs {
        evidence: given.evidence.to_owned(),
        amount_cents: given.amount_cents,
        asset_id: given.asset_id.to_owned(),
        source: given.source.to_owned(),
        marketplace: given.marketplace.to_owned(),
        price_cents: given.price_cents,
        absence: given.absence.as_option().map(absence).transpose()?,
        balance_lowered_by: given
            .absence
            .as_option()
            .map(|given| given.balance_lowered_by.to_owned())
            .unwrap_or_default(),
    })
}

fn absence(given: &view::RemediationAbsenceView<'_>) -> Result<Absence, ConnectError> {
    let required = |field: &str, given| timestamp(field, given)?.ok_or_else(|| invalid(field, "is required"));
    Ok(Absence {
        first_lookup_at: required("args.absence.firstLookupAt", &given.first_lookup_at)?,
        last_lookup_at: required("args.absence.lastLookupAt", &given.last_lookup_at)?,
        listing: if given.listing_explained { ListingOutcome::Stated } else { ListingOutcome::Unexplained },
        charge_excluded: given.balance_unchanged,
        balances: None,
    })
}
