import { ago, count, iso, when } from "../../core/format.ts";
import { short, show, uuid } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { NAMES } from "../../core/subjects.ts";
import { countRemediations, getRemediations, listRemediations } from "../../gen/contracts/v1/remediation_calls.ts";
import {
  RemediationKind as K,
  RemediationSeverity as S,
  RemediationStatus as R,
  type Remediation,
} from "../../gen/contracts/v1/remediation_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Card, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, FilterChoice, numbersOf, useFilters } from "../../ui/filters.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { bulk } from "./bulk.tsx";
import { useMembers } from "./members.ts";
import { evidenceOf, KIND_CHOICES, problemName } from "./words.ts";

const columns = (nameOf: (r: Remediation) => string): Column<Remediation>[] => [
  {
    id: "kind",
    head: "Problem",
    phone: "title",
    cell: (r) => <span className="clip">{problemName(r)}</span>,
    text: problemName,
  },
  {
    id: "severity",
    head: "Severity",
    width: "7.5rem",
    phone: "end",
    cell: (r) => <Status name={S[r.severity ?? 0]} />,
    text: (r) => wordOf(S[r.severity ?? 0]),
  },
  {
    id: "status",
    head: "Status",
    width: "8.5rem",
    phone: "status",
    cell: (r) => <Status name={R[r.status ?? 0]} />,
    text: (r) => wordOf(R[r.status ?? 0]),
  },
  {
    id: "subject",
    head: "Of",
    from: "md",
    cell: (r) => (
      <span className="clip">
        <span className="muted">{NAMES[r.subjectType ?? 0]}</span> {nameOf(r)}
      </span>
    ),
    text: (r) => `${NAMES[r.subjectType ?? 0]} ${nameOf(r)}`,
  },
  {
    id: "found",
    head: "Evidence",
    from: "xl",
    width: "9.5rem",
    cell: (r) => <span className="clip muted">{evidenceOf(r).found || r.reason || r.evidence?.shownBy || "–"}</span>,
    text: (r) => evidenceOf(r).found,
  },
  {
    id: "seen",
    head: "Last seen",
    width: "8rem",
    end: true,
    from: "lg",
    cell: (r) => <span className="muted">{ago(r.lastSeenAt, marketNow())}</span>,
    text: (r) => iso(r.lastSeenAt),
  },
  {
    id: "at",
    head: "Opened",
    width: "11.5rem",
    end: true,
    from: "md",
    cell: (r) => <span className="num muted">{when(r.createdAt)}</span>,
    text: (r) => iso(r.createdAt),
  },
  {
    id: "note",
    head: "Opened",
    phone: "note",
    phoneOnly: true,
    cell: (r) => (
      <span className="clip">
        {nameOf(r)}, {when(r.createdAt)}
      </span>
    ),
  },
];
const SUBJECT = { head: "Id of the record", text: (r: Remediation) => uuid(r.subjectId ?? new Uint8Array()) };
const ORDER = [R.NEEDS_OPERATOR, R.OPEN, R.WORKING, R.WAITING, R.RESOLVED, R.DISMISSED];

const FILTERS = ["status", "kind", "severity"];
const SEVERITIES = [S.CRITICAL, S.WARNING, S.INFO].map((s) => [S[s], wordOf(S[s])] as const);
export default function Problems() {
  const filters = useFilters(FILTERS);
  const [status = R.UNSPECIFIED] = numbersOf<R>(R, filters.of("status"));
  const [kind = K.UNSPECIFIED] = numbersOf<K>(K, filters.of("kind"));
  const [severity = S.UNSPECIFIED] = numbersOf<S>(S, filters.of("severity"));
  const counts = useCall(countRemediations, {});
  const members = useMembers();
  const records = useRecords<Remediation>({
    name: "ListRemediations",
    filter: [status, kind, severity],
    subject: T.REMEDIATION,
    list: async (cursor, signal) => {
      const a = await listRemediations({ limit: 100, cursor, status, kind, severity }, { signal });
      return { ids: a.remediationIds, next: a.nextCursor };
    },
    get: async (remediationIds, signal) => (await getRemediations({ remediationIds }, { signal })).remediations,
  });
  const names = useSubjectNames(records.rows);
  const shown = columns((r) => names.get(show(r.subjectId))?.name ?? short(r.subjectId));
  // The server counts all of a workspace: with another filter the numbers would be of other rows.
  const isNarrow = Boolean(kind || severity);
  const known = isNarrow ? undefined : counts.data;
  const of = (s: R) => counts.data?.counts.find((c) => c.status === s)?.count ?? 0;
  const total = ORDER.reduce((n, s) => n + of(s), 0);
  const needs = of(R.NEEDS_OPERATOR);
  return (
    <>
      <Head
        title="Problems"
        note={
          !counts.data
            ? "What went wrong, and who handles it."
            : needs
              ? `${count(needs)} ${needs === 1 ? "waits" : "wait"} for a person. The service handles the others.`
              : "Nothing waits for a person. The service handles what is open."
        }
      >
        <SaveRows name="problems" columns={[...shown, SUBJECT]} of={records} />
      </Head>
      <div className="tools">
        <FilterChoice label="Kind" name="kind" filters={filters} choices={[["", "any"], ...KIND_CHOICES]} />
        <FilterChoice label="Severity" name="severity" filters={filters} choices={[["", "any"], ...SEVERITIES]} />
        <ClearFilters filters={filters} />
      </div>
      <Facets
        label="Status"
        chosen={String(status)}
        choose={(id) => filters.set("status", Number(id) ? R[Number(id)]! : "")}
        choices={[
          { id: "0", name: "All", count: known && total },
          ...ORDER.filter((s) => isNarrow || of(s) > 0 || s === R.NEEDS_OPERATOR || s === status).map((s) => ({
            id: String(s),
            name: wordOf(R[s]),
            count: known && of(s),
          })),
        ]}
      />
      <Card flush>
        <RecordTable
          label="Problems"
          columns={shown}
          records={records}
          bulk={bulk(members.data?.map((u) => [show(u.id), u.displayName || show(u.id)] as const) ?? [])}
          href={(r) => `/problems/${show(r.id)}`}
          total={isNarrow ? -1 : status ? of(status) : total}
          empty={
            <Empty
              icon="check"
              title={
                isNarrow
                  ? "No problem is like that."
                  : status === R.NEEDS_OPERATOR
                    ? "Nothing waits for you."
                    : status
                      ? "No problem has this status."
                      : "No problem was ever seen."
              }
            >
              <p>A problem is opened when what is recorded and what is seen differ, and it names its evidence and what may be done.</p>
            </Empty>
          }
        />
      </Card>
    </>
  );
}
