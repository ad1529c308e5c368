import { approveConfirmation, denyConfirmation } from "../../gen/trading/v1/confirmation_calls.ts";
import type { Confirmation } from "../../gen/trading/v1/confirmation_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { canApprove, canDeny, CONFIRMATIONS } from "./words.ts";

const rest = (c: Confirmation) => ({ confirmationId: c.id!, expectedVersion: c.version! });
export const BULK: readonly BulkAction<Confirmation>[] = [
  {
    label: "Approve",
    danger: true,
    call: approveConfirmation,
    can: canApprove,
    text: (
      <p>
        What they give cannot be returned. The engine did not allow those that need you, or has not checked them: allow them only if you
        know who caused each.
      </p>
    ),
    run: (c, _v, key) => approveConfirmation(rest(c), { key }),
    old: CONFIRMATIONS,
  },
  {
    label: "Deny",
    danger: true,
    call: denyConfirmation,
    can: canDeny,
    text: <p>What waits for them ends at the platform. No item moves, and nothing changes at the accounts.</p>,
    run: (c, _v, key) => denyConfirmation(rest(c), { key }),
    old: CONFIRMATIONS,
  },
];
