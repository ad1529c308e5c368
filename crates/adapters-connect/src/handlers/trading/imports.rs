//! Imports of trading accounts.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::enums::{WireEnum as _, optional_enum, required_enum};
use crate::convert::trading::imports as record;
use crate::convert::{id, ids, secret, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::{enter, secret_answer};
use tradepost_proto::trading::v1 as wire;

pub(super) async fn create_import(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateImportRequest>,
) -> ServiceResult<wire::CreateImportResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CreateImport {
        workspace_id,
        kind: required_enum("kind", request.kind)?,
        format: required_enum("format", request.format)?,
        content: request.content.to_vec().into(),
        passphrase: request.passphrase.map(secret),
        defaults: request.defaults.as_option().map(record::defaults).transpose()?.unwrap_or_default(),
        name: request.name.map(str::to_owned),
    };
    let import = operations.create_import(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateImportResponse { import_record: record::import(&import).into() })
}

pub(super) async fn list_imports(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListImportsRequest>,
) -> ServiceResult<wire::ListImportsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListImports {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        status: optional_enum("status", request.status)?,
    };
    let page = operations.list_imports(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListImportsResponse { import_ids: wire_ids(page.entries), next_cursor: Some(page.next_cursor) })
}

pub(super) async fn get_import(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetImportRequest>,
) -> ServiceResult<wire::GetImportResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetImport { workspace_id, import_id: id("importId", request.import_id)? };
    let import = operations.get_import(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetImportResponse { import_record: record::import(&import).into() })
}

pub(super) async fn get_imports(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetImportsRequest>,
) -> ServiceResult<wire::GetImportsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetImports { workspace_id, import_ids: ids("importIds", &request.import_ids)? };
    let batch = operations.get_imports(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetImportsResponse {
        imports: batch.found.iter().map(record::import).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_imports(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountImportsRequest>,
) -> ServiceResult<wire::CountImportsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let counted = operations.count_imports(caller, operation::CountImports { workspace_id }).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::ImportCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountImportsResponse { counts: counts.collect() })
}

pub(super) async fn list_import_rows(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListImportRowsRequest>,
) -> ServiceResult<wire::ListImportRowsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListImportRows {
        workspace_id,
        import_id: id("importId", request.import_id)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        outcome: optional_enum("outcome", request.outcome)?,
    };
    let page = operations.list_import_rows(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListImportRowsResponse {
        rows: page.entries.iter().map(record::import_row).collect(),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn apply_import(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ApplyImportRequest>,
) -> ServiceResult<wire::ApplyImportResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ApplyImport {
        workspace_id,
        import_id: id("importId", request.import_id)?,
        expected_version: request.expected_version,
    };
    let import = operations.apply_import(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ApplyImportResponse { import_record: record::import(&import).into() })
}

pub(super) async fn cancel_import(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CancelImportRequest>,
) -> ServiceResult<wire::CancelImportResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CancelImport {
        workspace_id,
        import_id: id("importId", request.import_id)?,
        expected_version: request.expected_version,
    };
    let import = operations.cancel_import(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CancelImportResponse { import_record: record::import(&import).into() })
}

pub(super) async fn reveal_revocation_code(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RevealRevocationCodeRequest>,
) -> ServiceResult<wire::RevealRevocationCodeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let account_id = id("accountId", request.account_id)?;
    let command = operation::RevealRevocationCode { workspace_id, account_id };
    let code = operations.reveal_revocation_code(caller, command).await.map_err(to_wire)?;
    let revocation_code = Some(code.expose_secret().to_owned());
    Ok(secret_answer(wire::RevealRevocationCodeResponse { revocation_code }))
}
