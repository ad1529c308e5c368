import { eventWords } from "../../core/format.ts";

/** What can be done to each kind of record, as docs/reference/audit-events.md has it: a test compares the two. */
const DONE: Readonly<Record<string, string>> = {
  account:
    "created disabled enabled giving_disabled giving_enabled giving_limited login_code refresh_requested removed revocation_code_revealed token_renewal_requested token_renewed trades_acknowledged updated",
  account_group: "created deleted joined left updated",
  account_link: "begin linked unlinked",
  account_session: "code_submitted ended started",
  alert_channel: "created deleted disabled enabled tested updated",
  alert_rule: "created deleted updated",
  api_key: "created revoked rotated updated",
  assignment: "created deleted updated",
  chat_message: "sent",
  confirmation: "approve_requested deny_requested refresh_requested",
  contract: "activated cancelled created deleted paused resumed updated",
  conversation: "read",
  credential:
    "email_added email_change_cancelled email_change_confirmed email_change_requested email_change_reverted email_verified password_changed password_reset password_reset_requested password_suspended verification_requested",
  filter_set: "created deleted updated",
  friend: "accepted added blocked refreshed removed unblocked",
  import: "applied cancelled created",
  intent: "approved cancelled created rejected",
  inventory_change: "ignored matched",
  membership: "accepted declined dissolved expired invitation_resent invited left reinstated removed revoked suspended updated",
  passkey: "begin clone_suspected deleted registered updated",
  pool: "archived created funds_adjusted paused resumed updated",
  price_override: "deleted set",
  pricing_rules: "updated",
  provider: "created deleted disabled enabled tested updated",
  purchase: "cancelled item_written_off outcome_recorded reconciled",
  recovery_codes: "regenerated used",
  remediation: "acted assigned dismissed",
  renewal: "cancelled requested",
  session: "others_revoked revoked second_factor_asked sign_in_failed signed_in signed_out",
  snapshot: "created",
  step_up: "begin completed failed",
  totp: "begin disabled enabled",
  trade_offer: "accept_requested cancel_requested decline_requested refresh_requested send_requested",
  user: "deleted factors_reset registered reset_link_issued signed_up updated",
  webhook_delivery: "resent",
  webhook_endpoint: "created deleted disabled enabled replayed secret_rotated tested updated",
  workspace: "created deleted ownership_transferred removed restored risks_acknowledged trading_halted trading_resumed updated",
  workspace_key: "destroyed rotated",
};
export const TYPES: readonly string[] = Object.entries(DONE).flatMap(([of, done]) => done.split(" ").map((what) => `${of}.${what}`));
/** The types by what they say, for a filter. */
export const typeChoices = (): (readonly [string, string])[] =>
  TYPES.map((type) => [type, eventWords(type)] as const).sort((a, b) => a[1].localeCompare(b[1]));
