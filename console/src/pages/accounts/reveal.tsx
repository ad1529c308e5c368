import { getAccountLoginCode } from "../../gen/trading/v1/account_calls.ts";
import { revealRevocationCode } from "../../gen/trading/v1/import_calls.ts";
import type { Account } from "../../gen/trading/v1/account_pb.ts";
import { when } from "../../core/format.ts";
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
          A person who has this code can remove the account's authenticator. Make sure that no one looks at your screen. The audit log
          records that it was shown, and to whom.
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

/** Shows the code with which a person signs in to an account, in the window alone. */
export const LoginCode = ({ account: a }: { account: Account }) => (
  <Action
    label="Show a login code"
    call={getAccountLoginCode}
    title={`Login code of ${a.name}`}
    confirm="Show it"
    old={["ListAuditEvents"]}
    text={
      <>
        <p>
          With this code and the password a person signs in to the account at {a.platform}. The audit log records that it was shown, and to
          whom. An account gives 6 codes an hour.
        </p>
        <p>Your second factor is asked for, unless you gave it in the last 2 minutes.</p>
      </>
    }
    run={async () => {
      const { code, validUntil } = await getAccountLoginCode({ accountId: a.id! });
      return (
        <ShownOnce text={code ?? ""} name="the code">
          Good until {when(validUntil)}. This window forgets it when you close it.
        </ShownOnce>
      );
    }}
  />
);
