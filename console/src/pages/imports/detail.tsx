import { Link, useSearchParams } from "wouter";
import { count, several, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useUserNames } from "../../core/members.ts";
import { may, useCall } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getImport, listImportRows } from "../../gen/trading/v1/import_calls.ts";
import { ImportStatus as S, type Import } from "../../gen/trading/v1/import_pb.ts";
import { Card, Facts, Head, Stat } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { Actions } from "./actions.tsx";
import { Rows } from "./rows.tsx";
import { formatOf, isOfItems, isOpen, nameOf, thingsOf } from "./words.ts";

const ROWS = "rows";
const RECORD = "record";
const VIEWS = [
  { id: ROWS, name: "Rows" },
  { id: RECORD, name: "Record" },
];
const BACK: [string, string] = ["/imports", "Imports"];
export default function ImportDetail({ id = "" }: { id?: string }) {
  const importId = read(id);
  const query = useCall(getImport, { importId });
  const i = query.data?.importRecord;
  if (query.isError || !i)
    return (
      <>
        <Head title="Import" back={BACK} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  return (
    <>
      <Head
        title={`Import of ${nameOf(i)}`}
        back={BACK}
        note={
          <>
            <Status name={S[i.status ?? 0]} /> {formatOf(i.format).name}
          </>
        }
      >
        <Actions i={i} />
      </Head>
      <div className="stack">
        <Now i={i} />
        <div className="grid">
          <Stat name="Rows" value={count(i.rows)} note={`one for each ${thingsOf(i)[0]}`} />
          <Stat name={isOpen(i) ? "Can be applied" : "Accepted"} value={count(i.accepted)} note="those that change nothing included" />
          <Stat name="Refused" value={count(i.rejected)} tone={i.rejected ? "loss" : ""} note="each row says why" />
          <Stat
            name={isOpen(i) ? "Expires" : "Over since"}
            value={when(isOpen(i) ? i.expiresAt : i.updatedAt)}
            note={isOpen(i) ? "then its content is destroyed" : "its content is destroyed"}
          />
        </div>
        <Views i={i} />
      </div>
    </>
  );
}
/** Its rows, or its record; the address has which. */
function Views({ i }: { i: Import }) {
  const [search, setSearch] = useSearchParams();
  const view = search.get("view") === RECORD || !may(listImportRows) ? RECORD : ROWS;
  return (
    <>
      {may(listImportRows) && (
        <div>
          <Segments label="What is shown of it" choices={VIEWS} chosen={view} choose={(v) => setSearch(v === RECORD ? { view: v } : {})} />
        </div>
      )}
      {view === ROWS ? (
        <div>
          <Rows of={i} />
        </div>
      ) : (
        <div className="split">
          <History type={T.IMPORT} id={i.id!} />
          <Record i={i} />
        </div>
      )}
    </>
  );
}
/** What a person has to know of it now. */
function Now({ i }: { i: Import }) {
  const rejected = i.rejected ?? 0;
  switch (i.status) {
    case S.CHECKED:
      return (i.accepted ?? 0) > 0 ? (
        <Notice tone="info">
          <b>Nothing is created yet.</b> The rows say what applying does. It can be applied until {when(i.expiresAt)}.
        </Notice>
      ) : (
        <Notice tone="bad">
          <b>No row can be applied.</b> Each says why. Cancel the import, and begin again with what is right.
        </Notice>
      );
    case S.APPLYING:
      return (
        <Notice>
          <b>A part of it is applied.</b> Apply the rest until {when(i.expiresAt)}: nothing is created twice.
        </Notice>
      );
    case S.APPLIED:
      return (
        <Notice tone="good" icon="check">
          <b>It is applied.</b> {rejected > 0 && `${several(rejected, "row was", "rows were")} left out. `}
          {isOfItems(i) ? <Link href="/items">See the items</Link> : <Link href="/accounts">See the accounts</Link>}
        </Notice>
      );
    case S.CANCELLED:
      return <Notice>A person cancelled it. What it read is destroyed; records that it had created or updated before stay.</Notice>;
    case S.EXPIRED:
      return (
        <Notice>It was not applied within an hour. What it read is destroyed; records that it had created or updated before stay.</Notice>
      );
    default:
      return null;
  }
}
function Record({ i }: { i: Import }) {
  const names = useUserNames(i.createdBy?.length ? [i.createdBy] : []);
  const by = i.createdBy?.length ? (names.data?.get(show(i.createdBy)) ?? "A member") : "The service";
  return (
    <Card title="Record">
      <Facts
        of={[
          ["Brings", thingsOf(i)[1]],
          ["Format", formatOf(i.format).name],
          ["Created by", by],
          ["Created", when(i.createdAt)],
          ["Changed", when(i.updatedAt)],
          ["Version", String(i.version ?? "")],
          ["Id", <span className="mono">{show(i.id)}</span>],
        ]}
      />
    </Card>
  );
}
