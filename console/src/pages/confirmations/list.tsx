import { count, iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { countConfirmations, getConfirmations, listConfirmations } from "../../gen/trading/v1/confirmation_calls.ts";
import { ConfirmationStatus as S, type Confirmation } from "../../gen/trading/v1/confirmation_pb.ts";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { StatusFacets, useStatus } from "../../ui/statuses.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { Refresh } from "./actions.tsx";
import { BULK } from "./bulk.tsx";
import { kindOf, saidOf } from "./words.ts";

const COLUMNS: Column<Confirmation>[] = [
  { id: "kind", head: "About", phone: "title", width: "13rem", cell: (c) => <span className="clip">{kindOf(c)}</span>, text: kindOf },
  { id: "said", head: "Text", from: "md", cell: (c) => <span className="clip muted">{saidOf(c) || "–"}</span>, text: saidOf },
  {
    id: "status",
    head: "Status",
    width: "11rem",
    phone: "status",
    cell: (c) => <Status name={S[c.status ?? 0]} />,
    text: (c) => wordOf(S[c.status ?? 0]),
  },
  {
    id: "account",
    head: "Account",
    width: "9rem",
    from: "md",
    cell: (c) => <span className="clip muted">{c.accountName}</span>,
    text: (c) => c.accountName ?? "",
  },
  {
    id: "at",
    head: "Created",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (c) => <span className="num muted">{when(c.createdAt)}</span>,
    text: (c) => iso(c.createdAt),
  },
  {
    id: "note",
    head: "Created",
    phone: "note",
    phoneOnly: true,
    cell: (c) => (
      <span>
        {c.accountName}, {when(c.createdAt)}
      </span>
    ),
  },
];
/** What waits or waited for the mobile authenticators of the accounts. */
export default function Confirmations() {
  const [status, choose] = useStatus<S>(S);
  const counts = useCall(countConfirmations, {});
  const records = useRecords<Confirmation>({
    name: "ListConfirmations",
    filter: status,
    subject: T.CONFIRMATION,
    list: async (cursor, signal) => {
      const a = await listConfirmations({ limit: 100, cursor, status }, { signal });
      return { ids: a.confirmationIds, next: a.nextCursor };
    },
    get: async (confirmationIds, signal) => (await getConfirmations({ confirmationIds }, { signal })).confirmations,
  });
  const shown = counts.data?.counts.filter((c) => (c.count ?? 0) > 0) ?? [];
  const total = shown.reduce((n, c) => n + (c.count ?? 0), 0);
  const strange = shown.find((c) => c.status === S.STRANGE)?.count ?? 0;
  return (
    <>
      <Head
        title="Confirmations"
        note={
          strange
            ? `${count(strange)} ${strange === 1 ? "waits" : "wait"} for your decision.`
            : "The engine allows those of its own offers, if every check holds, and asks you about all others."
        }
      >
        <SaveRows name="confirmations" columns={COLUMNS} of={records} />
        <Refresh />
      </Head>
      {total > 0 && <StatusFacets statuses={S} counts={counts.data?.counts} chosen={status} choose={choose} />}
      <Card flush>
        <RecordTable
          label="Confirmations"
          columns={COLUMNS}
          records={records}
          bulk={BULK}
          href={(c) => `/confirmations/${show(c.id)}`}
          total={total}
          empty={
            <Empty icon="approvals" title={status ? "No confirmation has this status." : "No confirmation was seen yet."}>
              <p>Offers that give items wait for the mobile authenticator of their account. What waits appears here.</p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
