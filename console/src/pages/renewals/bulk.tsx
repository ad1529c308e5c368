import { cancelRenewal, requestRenewal } from "../../gen/trading/v1/renewal_calls.ts";
import type { Renewal } from "../../gen/trading/v1/renewal_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { canCancel, canRenew, RENEWALS } from "./words.ts";

export const BULK: readonly BulkAction<Renewal>[] = [
  {
    label: "Renew now",
    call: requestRenewal,
    can: canRenew,
    text: (
      <p>
        The engine renews the tokens in its next passes. If the answer about a refresh token is lost, its account may have to sign in again.
      </p>
    ),
    run: (r, _v, key) => requestRenewal({ accountId: r.accountId!, kind: r.kind! }, { key }),
    old: RENEWALS,
  },
  {
    label: "Cancel",
    danger: true,
    call: cancelRenewal,
    can: canCancel,
    text: (
      <p>The tokens end at their times. With a refresh token the session of its account ends, and the account trades no longer then.</p>
    ),
    run: (r, _v, key) => cancelRenewal({ renewalId: r.id!, expectedVersion: r.version }, { key }),
    old: RENEWALS,
  },
];
