import { useContractChoices } from "../../core/contract-choices.ts";
import { ago, count, decimal, iso, percent, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { useContractNames } from "../../core/names.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import { itemOf, useSubjectNames } from "../../core/subject-names.ts";
import { countIntents, getIntents, listIntents } from "../../gen/contracts/v1/intent_calls.ts";
import { IntentKind as K, IntentStatus as S, type Intent } from "../../gen/contracts/v1/intent_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Card, Head, Money, Named } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, FilterChoice, numbersOf, useFilters } from "../../ui/filters.tsx";
import { Facets } from "../../ui/segments.tsx";
import { Empty } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { RecordTable, type Column } from "../../ui/table.tsx";
import { BULK } from "./bulk.tsx";
import { Decide } from "./decide.tsx";
import { discount, KINDS, nameOf, priceOf } from "./words.ts";

const columns = (names: ReadonlyMap<string, { name?: string | undefined }>, itemName: (i: Intent) => string): Column<Intent>[] => [
  { id: "item", head: "Item", phone: "title", cell: (i) => <Named name={itemName(i)} />, text: itemName },
  { id: "kind", head: "What", width: "5.5rem", from: "lg", cell: (i) => KINDS[i.kind ?? 0], text: (i) => KINDS[i.kind ?? 0] },
  {
    id: "status",
    head: "Status",
    width: "10rem",
    phone: "status",
    cell: (i) => <Status name={S[i.status ?? 0]} />,
    text: (i) => wordOf(S[i.status ?? 0]),
  },
  {
    id: "contract",
    head: "Contract",
    width: "11rem",
    from: "xl",
    cell: (i) => <span className="clip muted">{names.get(show(i.contractId))?.name ?? "–"}</span>,
    text: (i) => names.get(show(i.contractId))?.name ?? "",
  },
  {
    id: "price",
    head: "Price",
    width: "8.25rem",
    end: true,
    phone: "end",
    cell: (i) => <Money cents={priceOf(i)} />,
    text: (i) => (priceOf(i) === undefined ? "" : decimal(priceOf(i)!)),
  },
  {
    id: "below",
    head: "Below value",
    width: "7rem",
    end: true,
    from: "xl",
    cell: (i) => <span className="num muted">{percent(discount(i))}</span>,
  },
  {
    id: "ends",
    head: "Good for",
    width: "6.5rem",
    end: true,
    from: "xl",
    cell: (i) => <span className="muted">{i.status === S.PROPOSED ? ago(i.expiresAt, marketNow()) : "–"}</span>,
  },
  {
    id: "at",
    head: "Proposed",
    width: "10.5rem",
    end: true,
    from: "lg",
    cell: (i) => <span className="num muted">{when(i.createdAt)}</span>,
    text: (i) => iso(i.createdAt),
  },
  { id: "do", head: "Decide", width: "10.5rem", end: true, from: "md", cell: (i) => <Decide intent={i} name={itemName(i)} small /> },
  {
    id: "note",
    head: "Proposed",
    phone: "note",
    phoneOnly: true,
    cell: (i) => (
      <span>
        {KINDS[i.kind ?? 0]}, {when(i.createdAt)}
      </span>
    ),
  },
];
const ORDER = [S.PROPOSED, S.APPROVED, S.EXECUTING, S.SUCCEEDED, S.FAILED, S.DENIED, S.REJECTED, S.EXPIRED, S.CANCELLED];

/** The kinds that are proposed. */
const DOES = [K.BUY, K.LIST, K.REPRICE, K.DELIST, K.TRANSFER].map((k) => [K[k], KINDS[k]] as const);
/** Without the status, which always has a value. */
const FILTERS = ["contract", "kind"];

export default function Approvals() {
  const filters = useFilters(FILTERS);
  const chosen = filters.of("status") || "PROPOSED";
  const status = chosen === "all" ? S.UNSPECIFIED : (numbersOf<S>(S, chosen)[0] ?? S.PROPOSED);
  const kind = numbersOf<K>(K, filters.of("kind"))[0] ?? K.UNSPECIFIED;
  const contractId = read(filters.of("contract"));
  const contracts = useContractChoices(filters.of("contract"));
  // The server counts proposals of all kinds: for one kind the numbers would be of other rows.
  const counted = useCall(countIntents, { contractId });
  const counts = kind ? { data: undefined } : counted;
  const names = useContractNames();
  const records = useRecords<Intent>({
    name: "ListIntents",
    filter: [status, kind, filters.of("contract")],
    subject: T.INTENT,
    list: async (cursor, signal) => {
      const a = await listIntents({ limit: 100, cursor, status, kind, contractId }, { signal });
      return { ids: a.intentIds, next: a.nextCursor };
    },
    get: async (intentIds, signal) => (await getIntents({ intentIds }, { signal })).intents,
  });
  const of = (s: S) => counts.data?.counts.find((c) => c.status === s)?.count ?? 0;
  const total = ORDER.reduce((n, s) => n + of(s), 0);
  const shown = (n: number) => (counts.data ? n : undefined);
  const items = useSubjectNames(records.rows.map(itemOf));
  const cols = columns(names.data ?? new Map(), (i) => nameOf(i, items));
  return (
    <>
      <Head title="Approvals" note="What contracts propose and a person decides. A contract whose approval is manual waits here.">
        <SaveRows name="approvals" columns={cols} of={records} />
      </Head>
      <div className="tools">
        <FilterChoice label="Contract" name="contract" filters={filters} choices={contracts} />
        <FilterChoice label="What" name="kind" filters={filters} choices={[["", "any"], ...DOES]} />
        <ClearFilters filters={filters} />
      </div>
      <Facets
        label="Status"
        chosen={String(status)}
        choose={(k) => filters.set("status", Number(k) ? S[Number(k)]! : "all")}
        choices={[
          ...ORDER.filter((s) => kind !== K.UNSPECIFIED || of(s) > 0 || s === S.PROPOSED || s === status).map((s) => ({
            id: String(s),
            name: wordOf(S[s]),
            count: shown(of(s)),
          })),
          { id: "0", name: "All", count: shown(total) },
        ]}
      />
      <Card flush>
        <RecordTable
          label="Proposals"
          columns={cols}
          records={records}
          bulk={BULK}
          href={(i) => `/approvals/${show(i.id)}`}
          total={shown(status ? of(status) : total) ?? -1}
          empty={
            filters.any ? (
              <Empty icon="approvals" title="No proposal is like that." />
            ) : status === S.PROPOSED ? (
              <Empty icon="approvals" title="Nothing waits for your approval.">
                <p>
                  {count(total) === "0"
                    ? "Set a contract's approval to “by hand” and what it wants to do appears here before it does it."
                    : "What was decided is under the other statuses."}
                </p>
              </Empty>
            ) : (
              <Empty icon="approvals" title="No proposal has this status." />
            )
          }
        />
      </Card>
    </>
  );
}
