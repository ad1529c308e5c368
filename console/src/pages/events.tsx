import { useMemo } from "react";
import { iso, ms } from "../core/format.ts";
import { show, uuid } from "../core/ids.ts";
import { marketNow } from "../core/live.ts";
import { useCall, useRecords } from "../core/queries.ts";
import { useSubjectNames } from "../core/subject-names.ts";
import { NAMES } from "../core/subjects.ts";
import { countTransitions, getTransitions, listTransitions } from "../gen/contracts/v1/transition_calls.ts";
import { TransitionSubjectType as T, type Transition } from "../gen/contracts/v1/transition_pb.ts";
import { Button } from "../ui/button.tsx";
import { Card, Head } from "../ui/card.tsx";
import { SaveRows } from "../ui/copy.tsx";
import { Cut } from "../ui/cut.tsx";
import { ClearFilters, ManyFacets, numbersOf, useFilters } from "../ui/filters.tsx";
import { Empty, Failed, Skeleton } from "../ui/state.tsx";
import { FeedRow, useHeld } from "./overview/feed.tsx";

export const TYPES = [
  T.PURCHASE,
  T.INVENTORY_ITEM,
  T.CONTRACT,
  T.INTENT,
  T.TRADE_OFFER,
  T.REMEDIATION,
  T.ACCOUNT,
  T.ACCOUNT_SESSION,
  T.RENEWAL,
  T.PROVIDER,
  T.POOL,
  T.INVENTORY_CHANGE,
  T.IMPORT,
  T.FRIEND,
  T.CONFIRMATION,
  T.CHAT_MESSAGE,
  T.MEMBERSHIP,
  T.API_KEY,
];

const FILE = [
  { head: "Time", text: (t: Transition) => iso(t.createdAt) },
  { head: "Record", text: (t: Transition) => NAMES[t.subjectType ?? 0] },
  { head: "Id of the record", text: (t: Transition) => uuid(t.subjectId ?? new Uint8Array()) },
  { head: "From", text: (t: Transition) => t.fromStatus ?? "" },
  { head: "To", text: (t: Transition) => t.toStatus ?? "" },
  { head: "Trigger", text: (t: Transition) => t.trigger ?? "" },
  { head: "Evidence", text: (t: Transition) => t.evidence ?? "" },
  { head: "Reason", text: (t: Transition) => t.reason ?? "" },
];
/** The log of every step of every record. */
export default function Events() {
  const filters = useFilters(["of"]);
  const subjectTypes = numbersOf<T>(T, filters.of("of"));
  const { recent, reading } = useHeld();
  const list = useRecords<Transition>({
    name: "ListTransitions",
    filter: ["all", subjectTypes],
    list: async (cursor, signal) => {
      const a = await listTransitions({ subjectTypes, limit: 100, cursor }, { signal });
      return { ids: a.transitionIds, next: a.nextCursor };
    },
    get: async (transitionIds, signal) => (await getTransitions({ transitionIds }, { signal })).transitions,
  });
  const counts = useCall(countTransitions, {});
  const countOf = new Map(counts.data?.counts.map((c) => [c.subjectType, c.count]));
  const rows = useMemo(() => {
    const old = new Set(list.rows.map((t) => show(t.id)));
    return [
      ...recent.filter((t) => (subjectTypes.length === 0 || subjectTypes.includes(t.subjectType ?? 0)) && !old.has(show(t.id))),
      ...list.rows,
    ];
  }, [recent, list.rows, filters.of("of")]);
  const names = useSubjectNames(rows);
  const now = Math.max(marketNow(), ms(rows[0]?.createdAt));
  return (
    <>
      <Head title="Events" note="Every step of every record, the newest first." back={["/", "Overview"]}>
        <SaveRows
          name="events"
          columns={[...FILE, { head: "Name", text: (t) => names.get(show(t.subjectId))?.name ?? "" }]}
          of={{ ...list, rows }}
        />
      </Head>
      <ManyFacets
        label="Kinds of records"
        kinds={T}
        name="of"
        filters={filters}
        choices={TYPES.map((t) => ({ id: t, name: NAMES[t], count: countOf.get(t) }))}
        more={counts.data?.truncated}
      />
      <div className="tools">
        <ClearFilters filters={filters} />
      </div>
      <Card flush>
        {list.query.isError ? (
          <div className="body">
            <Failed error={list.query.error} again={list.query.refetch} />
          </div>
        ) : list.query.isPending ? (
          <div className="body">
            <Skeleton lines={12} />
          </div>
        ) : rows.length === 0 ? (
          <Empty icon="usage" title="No step of these kinds is recorded." />
        ) : (
          <ol className="feed long named" aria-label="Events" {...reading}>
            {rows.map((t, n) => (
              // As on the overview: the rows stay where they are and say something else.
              <FeedRow key={n} t={t} name={names.get(show(t.subjectId))?.name} now={now} />
            ))}
          </ol>
        )}
      </Card>
      <Cut of={list} />
      {!list.complete && (
        <p className="row">
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </p>
      )}
    </>
  );
}
