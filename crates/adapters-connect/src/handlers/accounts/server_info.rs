//! What the server reports about itself.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_ports::bot_check::Widget;

use crate::browser::CookieNames;
use crate::convert::enums::WireEnum;
use crate::convert::wire_time;
use crate::handlers::request::caller;
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn get_server_info(
    operations: &Operations,
    context: &RequestContext,
    _: ServiceRequest<'_, wire::GetServerInfoRequest>,
) -> ServiceResult<wire::GetServerInfoResponse> {
    caller(context)?;
    let info = operations.get_server_info();
    Response::ok(wire::GetServerInfoResponse {
        version: Some(info.version.to_owned()),
        api_version: Some(info.api_version.to_owned()),
        now: wire_time(info.now).into(),
        is_demo: Some(info.is_demo),
        public_url: Some(info.public_url),
        sign_up_open: Some(info.sign_up_open),
        bot_check: info.bot_check.map(bot_check).into(),
        linked_platforms: info.linked_platforms.into_iter().map(WireEnum::to_wire).collect(),
        passkeys_available: Some(!info.passkey_origins.is_empty()),
        passkey_origins: info.passkey_origins,
        session_cookie: Some(CookieNames::of(&operations.installation_marks()).session),
    })
}

fn bot_check(widget: Widget) -> wire::BotCheck {
    wire::BotCheck { kind: Some(widget.kind.to_wire()), site_key: Some(widget.site_key.unwrap_or_default()) }
}
