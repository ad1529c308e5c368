import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { count, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { compareSnapshots, getSnapshot, listSnapshotItems } from "../../gen/trading/v1/snapshot_calls.ts";
import { SnapshotStatus as S, type GetSnapshotResponse, type Snapshot } from "../../gen/trading/v1/snapshot_pb.ts";
import { Card, Facts, Head, Stat } from "../../ui/card.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { Compare } from "./compare.tsx";
import { EVERY } from "./current.ts";
import { Items } from "./items.tsx";
import { contextName, failureOf, isTaking, MEANS, timeOf, triggerOf } from "./words.ts";

const ITEMS = "items";
const COMPARE = "compare";
const RECORD = "record";
export default function SnapshotDetail({ id = "" }: { id?: string }) {
  const query = useQuery<GetSnapshotResponse>({
    queryKey: ["GetSnapshot", id],
    refetchInterval: (q) => (q.state.data?.snapshot?.status === S.TAKING ? EVERY : false),
    queryFn: ({ signal }) => getSnapshot({ snapshotId: read(id) }, { signal }),
  });
  const s = query.data?.snapshot;
  const names = useSubjectNames(s ? [{ subjectType: T.ACCOUNT, subjectId: s.accountId }] : []);
  if (!s)
    return (
      <>
        <Head title="Snapshot" back={["/accounts", "Accounts"]} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  const account = names.get(show(s.accountId))?.name || "the account";
  return (
    <>
      <Head
        title={`Snapshot of ${account}`}
        back={[`/accounts/${show(s.accountId)}?view=snapshots`, "Snapshots of the account"]}
        note={
          <>
            <Status name={S[s.status ?? 0]} /> {s.takenAt ? `taken ${when(s.takenAt)}` : `asked for ${when(s.createdAt)}`}
          </>
        }
      />
      <div className="stack">
        {s.status !== S.COMPLETE && (
          <Notice tone={s.status === S.FAILED ? "bad" : isTaking(s) ? "info" : ""}>
            {s.failure && <b>{failureOf(s)}. </b>}
            {MEANS[s.status ?? 0]}
          </Notice>
        )}
        {hasItems(s) && <Figures s={s} />}
        <Views s={s} account={account} />
      </div>
    </>
  );
}
const hasItems = (s: Snapshot): boolean => !isTaking(s) && s.status !== S.FAILED;
/** What the platform showed in all, and of each context. */
const Figures = ({ s }: { s: Snapshot }) => (
  <div className="grid">
    <Stat name="Items" value={count(s.itemCount)} note="in all contexts together" />
    <Stat
      name="Changes"
      value={count(s.changeCount)}
      note="since the complete one before"
      {...(s.changeCount && may(compareSnapshots) ? { href: `/snapshots/${show(s.id)}?view=${COMPARE}` } : {})}
    />
    {s.contexts.map((c) => (
      <Stat
        key={`${c.appId} ${c.contextId}`}
        name={contextName(c.contextId)}
        value={count(c.shown)}
        tone={c.isComplete ? "" : "warn"}
        note={c.isComplete ? "all of them" : "not all of them"}
      />
    ))}
  </div>
);
/** Its items, what differs from another snapshot, or its record; the address has which. */
function Views({ s, account }: { s: Snapshot; account: string }) {
  const [search, setSearch] = useSearchParams();
  const views = [
    ...(may(listSnapshotItems) && hasItems(s) ? [{ id: ITEMS, name: "Items" }] : []),
    ...(may(compareSnapshots) && s.status === S.COMPLETE ? [{ id: COMPARE, name: "Compare" }] : []),
    { id: RECORD, name: "Record" },
  ];
  const other = search.get("with") ?? "";
  const view = views.find((v) => v.id === (other ? COMPARE : search.get("view")))?.id ?? views[0]?.id;
  return (
    <>
      {views.length > 1 && (
        <div>
          <Segments
            label="What is shown of it"
            choices={views}
            chosen={view ?? ""}
            choose={(v) => setSearch(v === views[0]?.id ? {} : { view: v })}
          />
        </div>
      )}
      {view === ITEMS && <Items of={s} />}
      {view === RECORD && <Record s={s} account={account} />}
      {view === COMPARE && (
        <Compare of={s} other={other} choose={(id) => setSearch(id ? { view: COMPARE, with: id } : { view: COMPARE })} />
      )}
    </>
  );
}
const Record = ({ s, account }: { s: Snapshot; account: string }) => (
  <Card title="Record" className="narrowed">
    <Facts
      of={[
        ["Account", <Link href={`/accounts/${show(s.accountId)}`}>{account}</Link>],
        ["Why", triggerOf(s)],
        ["Asked for", when(s.createdAt)],
        ["Taken", isTaking(s) ? "not yet" : when(timeOf(s))],
        ["Version", String(s.version ?? "")],
        ["Id", <span className="mono">{show(s.id)}</span>],
      ]}
    />
  </Card>
);
