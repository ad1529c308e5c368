import { acknowledgeTradeProtection, disableAccount, enableAccount } from "../../gen/trading/v1/account_calls.ts";
import { AccountStatus as S, type Account } from "../../gen/trading/v1/account_pb.ts";
import { startAccountSession } from "../../gen/trading/v1/account_session_calls.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { ASK, SESSIONS } from "../sessions/words.ts";
import { canSignIn } from "./words.ts";

const old = ["GetAccount", "GetAccounts", "ListAccounts", "CountAccounts", "GetAccountReadiness"];
const rest = (a: Account) => ({ accountId: a.id!, expectedVersion: a.version });
export const BULK: readonly BulkAction<Account>[] = [
  {
    label: "Enable",
    call: enableAccount,
    can: (a) => a.status === S.DISABLED,
    text: <p>Each is checked first, and then takes work again.</p>,
    run: (a, _v, key) => enableAccount(rest(a), { key }),
    old,
  },
  {
    label: "Disable",
    danger: true,
    call: disableAccount,
    can: (a) => ![S.DISABLED, S.BANNED].includes(a.status ?? 0),
    text: <p>They start nothing new. What is open on them is followed to its end.</p>,
    fields: [{ name: "reason", label: "Reason", wide: true, max: 200 }],
    run: (a, v, key) => disableAccount({ ...rest(a), ...(v.reason ? { reason: v.reason } : {}) }, { key }),
    old,
  },
  {
    label: "Start session",
    call: startAccountSession,
    can: canSignIn,
    text: (
      <p>
        The engine gives the stored login names and passwords to the platform, one account every 10 s. Each sign-in takes 10 min at most, so
        start those that need codes of a person in smaller numbers.
      </p>
    ),
    fields: [ASK],
    run: (a, v, key) => startAccountSession({ accountId: a.id!, ...(v.ask ? { useStoredCode: false } : {}) }, { key }),
    old: [...old, ...SESSIONS],
  },
  {
    label: "Accept the notice",
    call: acknowledgeTradeProtection,
    can: (a) => !a.tradeNoticeAcknowledgedAt,
    text: (
      <p>
        The platform can reverse a trade for days after it. An account trades nothing before a person accepts that. The audit log has who
        did.
      </p>
    ),
    run: (a, _v, key) => acknowledgeTradeProtection({ accountIds: [a.id!] }, { key }),
    old,
  },
];
