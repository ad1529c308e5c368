import { revealRevocationCode } from "../../gen/trading/v1/import_calls.ts";
import type { Account } from "../../gen/trading/v1/account_pb.ts";
import { Action } from "../../ui/action.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";

/** Shows the code that removes an account's authenticator. It is in the window alone, and is forgotten with it. */
export const Reveal = ({ account: a }: { account: Account }) => (
  <Action
    label="Show the revocation code"
    call={revealRevocationCode}
    title={`Revocation code of ${a.name}`}
    confirm="Show it"
    old={["ListAuditEvents"]}
    text={
      <>
        <p>
          Who has this code can remove the account's authenticator. Make sure that no one looks at your screen. The audit log records that
          it was shown, and to whom.
        </p>
        <p>Your second factor is asked for, unless you gave it in the last 2 minutes.</p>
      </>
    }
    run={async () => {
      const { revocationCode } = await revealRevocationCode({ accountId: a.id! });
      return (
        <ShownOnce text={revocationCode ?? ""} name="the code">
          As it was imported. This window forgets it when you close it.
        </ShownOnce>
      );
    }}
  />
);
