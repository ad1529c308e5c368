import { acknowledgeTradeProtection, disableAccount, enableAccount } from "../../gen/trading/v1/account_calls.ts";
import { AccountStatus as S, type Account } from "../../gen/trading/v1/account_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";

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
