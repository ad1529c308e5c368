import { useAccountChoices } from "../../core/accounts.ts";
import { iso, several, when, words } from "../../core/format.ts";
import { read, short, show } from "../../core/ids.ts";
import { may, useCall, useRecords } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { countAccountSessions, getAccountSessions, listAccountSessions } from "../../gen/trading/v1/account_session_calls.ts";
import { AccountSessionStatus as S, SessionFailure, type AccountSession } from "../../gen/trading/v1/account_session_pb.ts";
import { listRenewals } from "../../gen/trading/v1/renewal_calls.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, FilterChoice, numbersOf, useFilters } from "../../ui/filters.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { StartOne } from "./actions.tsx";
import { BULK } from "./bulk.tsx";
import { lineOf, STATUS_ORDER } from "./words.ts";

const byOf = (s: AccountSession) => (s.isAutomatic ? "the engine" : "a person");
const columns = (accountOf: (s: AccountSession) => string): Column<AccountSession>[] => [
  { id: "account", head: "Account", phone: "title", cell: (s) => <span className="clip">{accountOf(s)}</span>, text: accountOf },
  {
    id: "status",
    head: "Status",
    width: "11rem",
    phone: "status",
    cell: (s) => <Status name={S[s.status ?? 0]} />,
    text: (s) => wordOf(S[s.status ?? 0]),
  },
  {
    id: "line",
    head: "What it is about",
    width: "22rem",
    from: "md",
    cell: (s) => <span className="clip muted">{lineOf(s)}</span>,
    text: lineOf,
  },
  { id: "by", head: "Started by", width: "8rem", from: "xl", cell: (s) => <span className="muted">{byOf(s)}</span>, text: byOf },
  { id: "failure", head: "Failure", phoneOnly: true, cell: () => null, text: (s) => (s.failure ? words(SessionFailure[s.failure]) : "") },
  {
    id: "access",
    head: "Access token ends",
    phoneOnly: true,
    cell: () => null,
    text: (s) => iso(s.accessExpiresAt),
  },
  {
    id: "ends",
    head: "Refresh token ends",
    width: "11.5rem",
    end: true,
    from: "lg",
    cell: (s) => <span className="num muted">{when(s.refreshExpiresAt)}</span>,
    text: (s) => iso(s.refreshExpiresAt),
  },
  {
    id: "at",
    head: "Started",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (s) => <span className="num muted">{when(s.createdAt)}</span>,
    text: (s) => iso(s.createdAt),
  },
  { id: "note", head: "Started", phone: "note", phoneOnly: true, cell: (s) => <span className="clip">{when(s.createdAt)}</span> },
];
const FILTERS = ["status", "account"];
/** The sign-ins of the accounts at their platforms. */
export default function Sessions() {
  const filters = useFilters(FILTERS);
  const { accounts } = useAccountChoices();
  const [status = S.UNSPECIFIED] = numbersOf<S>(S, filters.of("status"));
  const account = filters.of("account");
  const accountId = read(account);
  const counts = useCall(countAccountSessions, {});
  const records = useRecords<AccountSession>({
    name: "ListAccountSessions",
    filter: [account, status],
    subject: T.ACCOUNT_SESSION,
    list: async (cursor, signal) => {
      const a = await listAccountSessions({ limit: 100, cursor, accountId, status }, { signal });
      return { ids: a.accountSessionIds, next: a.nextCursor };
    },
    get: async (accountSessionIds, signal) => (await getAccountSessions({ accountSessionIds }, { signal })).accountSessions,
  });
  const names = useSubjectNames(records.rows.map((s) => ({ subjectType: T.ACCOUNT, subjectId: s.accountId })));
  const shown = columns((s) => names.get(show(s.accountId))?.name ?? short(s.accountId));
  // The server counts all of a workspace: for one account the numbers would be of other rows.
  const known = account ? undefined : counts.data?.counts;
  const of = (s: S) => known?.find((c) => c.status === s)?.count ?? 0;
  const total = STATUS_ORDER.reduce((n, s) => n + of(s), 0);
  const asked = counts.data?.counts.filter((c) => c.status === S.AWAITING_CODE || c.status === S.AWAITING_APPROVAL) ?? [];
  const waiting = asked.reduce((n, c) => n + (c.count ?? 0), 0);
  return (
    <>
      <Head
        title="Account sessions"
        back={["/accounts", "Accounts"]}
        note={
          waiting
            ? `${several(waiting, "sign-in waits", "sign-ins wait")} for a code or an approval.`
            : "The sign-ins of the accounts at their platforms, and how long each lasts."
        }
      >
        <SaveRows name="account-sessions" columns={shown} of={records} />
        {may(listRenewals) && <LinkButton href={account ? `/renewals?account=${account}` : "/renewals"}>Renewals</LinkButton>}
        <StartOne chosen={account} />
      </Head>
      <div className="tools">
        <FilterChoice label="Account" name="account" filters={filters} choices={[["", "any"], ...accounts]} />
        <ClearFilters filters={filters} />
      </div>
      <Facets
        label="Status"
        chosen={String(status)}
        choose={(s) => filters.set("status", Number(s) ? S[Number(s)]! : "")}
        choices={[
          { id: "0", name: "All", count: known && total },
          ...STATUS_ORDER.map((s) => ({ id: String(s), name: wordOf(S[s]), count: known && of(s) })),
        ]}
      />
      <Card flush>
        <RecordTable
          label="Account sessions"
          columns={shown}
          records={records}
          bulk={BULK}
          href={(s) => `/sessions/${show(s.id)}`}
          total={!known ? -1 : status ? of(status) : total}
          empty={
            <Empty icon="accounts" title={filters.any ? "No session is like that." : "No session was started yet."}>
              <p>
                {filters.any
                  ? "Choose other filters, or none."
                  : "A session is one sign-in of an account at its platform. It needs a stored login name and password."}
              </p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
