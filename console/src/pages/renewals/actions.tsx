import { cancelRenewal, requestRenewal } from "../../gen/trading/v1/renewal_calls.ts";
import { RenewalKind as K, type Renewal } from "../../gen/trading/v1/renewal_pb.ts";
import { Action } from "../../ui/action.tsx";
import { canCancel, canRenew, costOf, kindOf, KINDS, RENEWALS, RISKS } from "./words.ts";

/** Has a token of an account renewed, whether a renewal of it is open or not. */
export const RenewNow = ({ accountId, kind }: { accountId: Uint8Array; kind: K }) => (
  <Action
    label="Renew now"
    call={requestRenewal}
    title={`Renew the ${KINDS[kind].toLowerCase()} now?`}
    confirm="Renew it"
    done="The engine renews it in one of its next passes."
    old={RENEWALS}
    danger={kind === K.REFRESH_TOKEN}
    text={<p>{RISKS[kind]}</p>}
    run={async () => void (await requestRenewal({ accountId, kind }))}
  />
);
/** What can be asked for of a renewal. */
export const Actions = ({ r }: { r: Renewal }) => (
  <>
    {canRenew(r) && <RenewNow accountId={r.accountId!} kind={r.kind!} />}
    {canCancel(r) && (
      <Action
        label="Cancel"
        danger
        call={cancelRenewal}
        title={`Cancel the renewal of the ${kindOf(r).toLowerCase()}?`}
        confirm="Cancel the renewal"
        done="Cancelled."
        old={RENEWALS}
        text={<p>{costOf(r)}</p>}
        run={async () => void (await cancelRenewal({ renewalId: r.id!, expectedVersion: r.version }))}
      />
    )}
  </>
);
