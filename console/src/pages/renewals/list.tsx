import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useMemo } from "react";
import { useAccountChoices } from "../../core/accounts.ts";
import { count, iso, when } from "../../core/format.ts";
import { read, short, show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { countRenewals, getRenewals, listRenewals } from "../../gen/trading/v1/renewal_calls.ts";
import { RenewalKind as K, RenewalStatus as S, type Renewal } from "../../gen/trading/v1/renewal_pb.ts";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, FilterChoice, numbersOf, useFilters } from "../../ui/filters.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { DUE, dueBefore, isOpen, KIND_ORDER, kindOf, KINDS, STATUS_ORDER } from "./words.ts";

const columns = (accountOf: (r: Renewal) => string): Column<Renewal>[] => [
  { id: "account", head: "Account", phone: "title", cell: (r) => <span className="clip">{accountOf(r)}</span>, text: accountOf },
  { id: "kind", head: "Token", width: "9rem", phone: "end", cell: kindOf, text: kindOf },
  {
    id: "status",
    head: "Status",
    width: "11rem",
    phone: "status",
    cell: (r) => <Status name={S[r.status ?? 0]} />,
    text: (r) => wordOf(S[r.status ?? 0]),
  },
  {
    id: "tries",
    head: "Tries",
    width: "5rem",
    end: true,
    from: "lg",
    cell: (r) => <span className="num muted">{count(r.attempts)}</span>,
    text: (r) => String(r.attempts ?? ""),
  },
  {
    id: "due",
    head: "Due",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (r) => <span className="num muted">{isOpen(r) ? when(r.dueAt) : "–"}</span>,
    text: (r) => iso(r.dueAt),
  },
  {
    id: "ends",
    head: "Token ends",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (r) => <span className="num muted">{when(r.expiresAt)}</span>,
    text: (r) => iso(r.expiresAt),
  },
  {
    id: "at",
    head: "Scheduled",
    width: "11.5rem",
    end: true,
    from: "xl",
    cell: (r) => <span className="num muted">{when(r.createdAt)}</span>,
    text: (r) => iso(r.createdAt),
  },
  { id: "note", head: "Token ends", phone: "note", phoneOnly: true, cell: (r) => <span className="clip">ends {when(r.expiresAt)}</span> },
];
const FILTERS = ["status", "account", "kind", "due"];
/** The renewals of the tokens by which the accounts are signed in. */
export default function Renewals() {
  const filters = useFilters(FILTERS);
  const { accounts } = useAccountChoices();
  const [status = S.UNSPECIFIED] = numbersOf<S>(S, filters.of("status"));
  const [kind = K.UNSPECIFIED] = numbersOf<K>(K, filters.of("kind"));
  const account = filters.of("account");
  const accountId = read(account);
  const due = filters.of("due");
  // One time for all pages: a cursor is of the list with this filter.
  const until = useMemo(() => dueBefore(due, marketNow()), [due]);
  const counts = useCall(countRenewals, {});
  const records = useRecords<Renewal>({
    name: "ListRenewals",
    filter: [account, kind, status, due],
    subject: T.RENEWAL,
    list: async (cursor, signal) => {
      const before = until ? { dueBefore: timestampFromDate(until) } : {};
      const a = await listRenewals({ limit: 100, cursor, accountId, kind, status, ...before }, { signal });
      return { ids: a.renewalIds, next: a.nextCursor };
    },
    get: async (renewalIds, signal) => (await getRenewals({ renewalIds }, { signal })).renewals,
  });
  const names = useSubjectNames(records.rows.map((r) => ({ subjectType: T.ACCOUNT, subjectId: r.accountId })));
  const shown = columns((r) => names.get(show(r.accountId))?.name ?? short(r.accountId));
  // The server counts all of a workspace: with another filter the numbers would be of other rows.
  const known = account || kind || due ? undefined : counts.data?.counts;
  const of = (s: S) => known?.find((c) => c.status === s)?.count ?? 0;
  const total = STATUS_ORDER.reduce((n, s) => n + of(s), 0);
  return (
    <>
      <Head
        title="Renewals"
        back={["/sessions", "Account sessions"]}
        note="Tokens by which accounts are signed in, and when each is replaced before it ends."
      >
        <SaveRows name="renewals" columns={shown} of={records} />
      </Head>
      <div className="tools">
        <FilterChoice label="Account" name="account" filters={filters} choices={[["", "any"], ...accounts]} />
        <FilterChoice
          label="Token"
          name="kind"
          filters={filters}
          choices={[["", "any"], ...KIND_ORDER.map((k) => [K[k], KINDS[k]] as const)]}
        />
        <FilterChoice label="Due" name="due" filters={filters} choices={[["", "any time"], ...DUE]} />
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
          label="Renewals"
          columns={shown}
          records={records}
          bulk={BULK}
          href={(r) => `/renewals/${show(r.id)}`}
          total={!known ? -1 : status ? of(status) : total}
          empty={
            <Empty icon="accounts" title={filters.any ? "No renewal is like that." : "No renewal is scheduled yet."}>
              <p>
                {filters.any
                  ? "Choose other filters, or none."
                  : "Once an account is signed in, the engine schedules a renewal of each of its two tokens."}
              </p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
