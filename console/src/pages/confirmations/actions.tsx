import { useAccountChoices } from "../../core/accounts.ts";
import { read } from "../../core/ids.ts";
import { approveConfirmation, denyConfirmation, refreshConfirmations } from "../../gen/trading/v1/confirmation_calls.ts";
import { ConfirmationStatus as S, type Confirmation } from "../../gen/trading/v1/confirmation_pb.ts";
import { Action } from "../../ui/action.tsx";
import { accountField } from "../friends/fields.ts";
import { CONFIRMATIONS, canApprove, canDeny, changesAccount } from "./words.ts";

const LATER = "The engine does it in one of its next passes.";
/** Has the list of an account read again. */
export function Refresh() {
  const { accounts } = useAccountChoices();
  if (accounts.length === 0) return null;
  return (
    <Action
      label="Refresh"
      call={refreshConfirmations}
      title="Read the confirmations of an account"
      confirm="Ask for it"
      done={LATER}
      old={CONFIRMATIONS}
      start={{ account: accounts[0]![0] }}
      text={<p>The engine reads them by itself while an offer waits for one.</p>}
      fields={[accountField(accounts)]}
      run={async (v) => void (await refreshConfirmations({ accountId: read(v.account!) }))}
    />
  );
}
/** What a person can answer. */
export function Actions({ c }: { c: Confirmation }) {
  const rest = { confirmationId: c.id!, expectedVersion: c.version! };
  const failed = c.checks.filter((check) => !check.ok).length;
  return (
    <>
      {canApprove(c) && (
        <Action
          label="Approve"
          icon="check"
          call={approveConfirmation}
          title="Allow this confirmation?"
          confirm="Allow it"
          done={LATER}
          old={CONFIRMATIONS}
          danger
          text={
            <p>
              {c.status === S.MATCHED
                ? "Every check holds. What it gives cannot be returned."
                : failed
                  ? `${failed === 1 ? "One check does" : `${failed} checks do`} not hold. What it gives cannot be returned: allow it only if you know who caused it.`
                  : "It was not checked yet. What it gives cannot be returned: allow it only if you know who caused it."}
            </p>
          }
          run={async () => void (await approveConfirmation(rest))}
        />
      )}
      {canDeny(c) && (
        <Action
          label="Deny"
          kind="danger"
          danger
          call={denyConfirmation}
          title="Deny this confirmation?"
          confirm="Deny it"
          done={LATER}
          old={CONFIRMATIONS}
          text={
            <p>
              {changesAccount(c)
                ? "Nothing changes at the account. It gives items again afterwards."
                : "What waits for it ends at the platform. No item moves."}
            </p>
          }
          run={async () => void (await denyConfirmation(rest))}
        />
      )}
    </>
  );
}
