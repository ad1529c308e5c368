import { endAccountSession } from "../../gen/trading/v1/account_session_calls.ts";
import type { AccountSession } from "../../gen/trading/v1/account_session_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { canEnd, REVOKE, SESSIONS, works } from "./words.ts";

export const BULK: readonly BulkAction<AccountSession>[] = [
  {
    label: "End",
    danger: true,
    call: endAccountSession,
    can: canEnd,
    text: (
      <p>Their accounts trade no longer until a session is started: the engine does not start one by itself. Their open renewals end.</p>
    ),
    fields: [REVOKE],
    start: { revoke: "yes" },
    run: (s, v, key) =>
      endAccountSession({ accountSessionId: s.id!, revoke: Boolean(v.revoke) && works(s), expectedVersion: s.version }, { key }),
    old: SESSIONS,
  },
];
