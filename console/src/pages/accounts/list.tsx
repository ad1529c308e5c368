import { count, decimal, iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { countAccounts, createAccount, getAccounts, listAccounts } from "../../gen/trading/v1/account_calls.ts";
import { AccountStatus as S, type Account } from "../../gen/trading/v1/account_pb.ts";
import { listAccountSessions } from "../../gen/trading/v1/account_session_calls.ts";
import { createImport, listImports } from "../../gen/trading/v1/import_calls.ts";
import { Action } from "../../ui/action.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Head, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { StatusFacets, useStatus } from "../../ui/statuses.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { BASICS, CAPABILITIES, GIVING, LIMITS, limitsOf, capabilitiesOf, newGivingOf, SECRETS, secretsOf } from "./fields.ts";
import { Groups } from "./groups.tsx";

const can = (a: Account) => a.capabilities.map((c) => CAPABILITIES[c]).join(", ") || "nothing";
const COLUMNS: Column<Account>[] = [
  { id: "name", head: "Account", phone: "title", cell: (a) => <span className="clip">{a.name}</span>, text: (a) => a.name ?? "" },
  {
    id: "status",
    head: "Status",
    width: "9rem",
    phone: "status",
    cell: (a) => <Status name={S[a.status ?? 0]} />,
    text: (a) => wordOf(S[a.status ?? 0]),
  },
  {
    id: "platform",
    head: "Platform",
    width: "9rem",
    from: "md",
    cell: (a) => <span className="clip">{a.platform}</span>,
    text: (a) => a.platform ?? "",
  },
  { id: "can", head: "May", width: "12rem", from: "md", cell: (a) => <span className="clip muted">{can(a)}</span>, text: can },
  {
    id: "items",
    head: "Items",
    width: "8rem",
    end: true,
    from: "lg",
    cell: (a) => (
      <span className="num">
        {count(a.health?.inventoryCount)}
        {a.limits?.maxInventory ? <span className="muted"> of {count(a.limits.maxInventory)}</span> : null}
      </span>
    ),
    text: (a) => String(a.health?.inventoryCount ?? ""),
  },
  {
    id: "balance",
    head: "Balance",
    width: "8.25rem",
    end: true,
    phone: "end",
    cell: (a) => <Money cents={a.health?.balanceCents} />,
    text: (a) => (a.health?.balanceCents === undefined ? "" : decimal(a.health.balanceCents)),
  },
  {
    id: "seen",
    head: "Last seen",
    width: "11.5rem",
    end: true,
    from: "lg",
    cell: (a) => <span className="num muted">{when(a.health?.seenAt)}</span>,
    text: (a) => iso(a.health?.seenAt),
  },
  {
    id: "note",
    head: "Platform",
    phone: "note",
    phoneOnly: true,
    cell: (a) => (
      <span>
        {a.platform}, may {can(a)}
      </span>
    ),
  },
];
const ORDER = [S.READY, S.NEW, S.VALIDATING, S.DEGRADED, S.NEEDS_LOGIN, S.RESTRICTED, S.DISABLED, S.BANNED];

export default function Accounts() {
  const [status, choose] = useStatus<S>(S);
  const counts = useCall(countAccounts, {});
  const records = useRecords<Account>({
    name: "ListAccounts",
    filter: status,
    subject: T.ACCOUNT,
    list: async (cursor, signal) => {
      const a = await listAccounts({ limit: 100, cursor, status }, { signal });
      return { ids: a.accountIds, next: a.nextCursor };
    },
    get: async (accountIds, signal) => (await getAccounts({ accountIds }, { signal })).accounts,
  });
  const of = (s: S) => counts.data?.counts.find((c) => c.status === s)?.count ?? 0;
  const total = ORDER.reduce((n, s) => n + of(s), 0);
  return (
    <>
      <Head title="Accounts" note="Accounts of game platforms that hold items, buy and sell.">
        <SaveRows name="accounts" columns={COLUMNS} of={records} />
        {may(listAccountSessions) && <LinkButton href="/sessions">Sessions</LinkButton>}
        {may(createImport) ? (
          <LinkButton href="/imports/new">
            <Icon name="down" /> Import
          </LinkButton>
        ) : (
          may(listImports) && <LinkButton href="/imports">Imports</LinkButton>
        )}
        <Action
          label="Add an account"
          icon="plus"
          kind="primary"
          call={createAccount}
          title="Add an account"
          confirm="Add the account"
          done="Added. It is checked at the next sign-in."
          old={["ListAccounts", "CountAccounts", "GetAccounts"]}
          wide
          start={{ caps: "1\n2\n3" }}
          text={<p>Secrets are sealed with the workspace's key and are never shown again.</p>}
          fields={[...BASICS, ...LIMITS, ...GIVING, ...SECRETS]}
          run={async (v) =>
            void (await createAccount({
              name: v.name!.trim(),
              platform: v.platform!.trim(),
              platformUserId: v.user!.trim(),
              ...(v.token ? { tradeToken: v.token.trim() } : {}),
              capabilities: capabilitiesOf(v),
              limits: limitsOf(v),
              ...newGivingOf(v),
              ...secretsOf(v),
            }))
          }
        />
      </Head>
      <StatusFacets statuses={S} counts={counts.data?.counts} chosen={status} choose={choose} order={ORDER} />
      <div className="stack">
        <Card flush>
          <RecordTable
            label="Accounts"
            columns={COLUMNS}
            records={records}
            bulk={BULK}
            byHand
            href={(a) => `/accounts/${show(a.id)}`}
            total={status ? of(status) : total}
            empty={
              <Empty icon="accounts" title={status ? "No account has this status." : "There is no account yet."}>
                <p>Without one nothing can be bought: add an account of the platform where the items are.</p>
              </Empty>
            }
          />
        </Card>
        <Groups />
      </div>
    </>
  );
}
