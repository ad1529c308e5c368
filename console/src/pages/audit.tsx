import { useState } from "react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { count, eventWords, iso, when, words } from "../core/format.ts";
import { show, uuid } from "../core/ids.ts";
import { useUserNames } from "../core/members.ts";
import { pathOf } from "../core/subjects.ts";
import { listAuditEvents, verifyAuditChain } from "../gen/accounts/v1/audit_calls.ts";
import { AuditActorType as A, AuditSubjectType as S, type AuditEvent } from "../gen/accounts/v1/audit_pb.ts";
import { useSubjectNames } from "../core/subject-names.ts";
import { TransitionSubjectType as T } from "../gen/contracts/v1/transition_pb.ts";
import { Button } from "../ui/button.tsx";
import { Card, Facts, Head } from "../ui/card.tsx";
import { SaveRows } from "../ui/copy.tsx";
import Window from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Search } from "../ui/search.tsx";
import { Empty, Failed, May, Notice, Skeleton } from "../ui/state.tsx";
import { Table, type Column } from "../ui/table.tsx";

/** The type of event that the server looks for; other words are looked for in what it sends. */
const exactly = (type: string) => (/^[a-z_]+\.[a-z_.]+$/.test(type) ? type : "");
export default function Audit() {
  const [search, setSearch] = useSearchParams();
  const type = search.get("type") ?? "";
  const [open, setOpen] = useState<AuditEvent>();
  const list = useInfiniteQuery({
    queryKey: ["ListAuditEvents", type],
    initialPageParam: "",
    maxPages: 100,
    queryFn: ({ pageParam: cursor, signal }) => listAuditEvents({ limit: 100, cursor, type: exactly(type) }, { signal }),
    getNextPageParam: (p) => p.nextCursor || undefined,
  });
  const found = (e: AuditEvent) => !type || type.includes(".") || eventWords(e.type).toLowerCase().includes(type.toLowerCase());
  const all = list.data?.pages.flatMap((p) => p.events) ?? [];
  const rows = all.filter(found);
  const page = async (cursor: string, signal: AbortSignal) => {
    const a = await listAuditEvents({ limit: 100, cursor, type: exactly(type) }, { signal });
    return { rows: a.events.filter(found), next: a.nextCursor ?? "" };
  };
  const names = useUserNames([
    ...new Map(
      all.flatMap((e) =>
        [e.actorUserId, e.subjectType === S.USER ? e.subjectId : undefined].flatMap((id) => (id?.length ? [[show(id), id] as const] : [])),
      ),
    ).values(),
  ]);
  const subjects = useSubjectNames(subjectsOf(all));
  const nameOf = (e: AuditEvent) => (e.subjectType === S.USER ? names.data?.get(show(e.subjectId)) : subjects.get(show(e.subjectId))?.name);
  const who = (e: AuditEvent) =>
    e.actorType === A.SYSTEM
      ? "The service"
      : e.actorType === A.API_KEY
        ? `Key of ${names.data?.get(show(e.actorUserId)) ?? "a member"}`
        : (names.data?.get(show(e.actorUserId)) ?? "A member");
  const columns: Column<AuditEvent>[] = [
    {
      id: "what",
      head: "What",
      phone: "title",
      cell: (e) => (
        <button type="button" className="plainlink clip" onClick={() => setOpen(e)}>
          {eventWords(e.type)}
        </button>
      ),
      text: (e) => e.type ?? "",
    },
    { id: "who", head: "Who", width: "12rem", phone: "note", cell: (e) => <span className="clip">{who(e)}</span>, text: who },
    {
      id: "of",
      head: "Of",
      width: "12rem",
      from: "md",
      cell: (e) => (
        <span className="clip">
          <span className="muted">{words(S[e.subjectType ?? 0])}</span>{" "}
          {nameOf(e) ?? <span className="mono">{show(e.subjectId).slice(-6)}</span>}
        </span>
      ),
      text: (e) => `${S[e.subjectType ?? 0]} ${uuid(e.subjectId ?? new Uint8Array())}`,
    },
    {
      id: "ip",
      head: "Address",
      width: "10rem",
      from: "lg",
      cell: (e) => <span className="mono muted clip">{e.ip || "–"}</span>,
      text: (e) => e.ip ?? "",
    },
    {
      id: "seq",
      head: "Number",
      width: "6.5rem",
      end: true,
      from: "md",
      cell: (e) => <span className="num muted">{count(e.sequence)}</span>,
      text: (e) => String(e.sequence ?? ""),
    },
    {
      id: "at",
      head: "When",
      width: "11.5rem",
      end: true,
      phone: "end",
      cell: (e) => <span className="num muted">{when(e.createdAt)}</span>,
      text: (e) => iso(e.createdAt),
    },
  ];
  const check = useVerify();
  return (
    <>
      <Head title="Audit" note="Who did what. Each entry is chained to the one before, so that none can be changed or left out unseen.">
        <SaveRows name="audit" columns={columns} of={{ rows, complete: !list.hasNextPage, page }} />
        <VerifyButton check={check} />
      </Head>
      <Verified check={check} />
      <div className="tools">
        <Search label="What was done" value={type} change={(t) => setSearch(t ? { type: t } : {})} />
        {type && (
          <span className="muted">
            {count(rows.length)} found in the newest {count(all.length)}
          </span>
        )}
      </div>
      <Card flush>
        {list.isError ? (
          <div className="body">
            <Failed error={list.error} again={list.refetch} />
          </div>
        ) : list.isPending ? (
          <div className="body">
            <Skeleton lines={12} />
          </div>
        ) : rows.length === 0 ? (
          <Empty icon="audit" title={type ? "Nothing is like that." : "Nothing is recorded yet."} />
        ) : (
          <Table
            label="Audit"
            columns={columns}
            rows={rows}
            id={(e) => show(e.id)}
            more={() => {
              if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
            }}
            loadingMore={list.isFetchingNextPage}
          />
        )}
      </Card>
      {open && (
        <Window title={eventWords(open.type)} close={() => setOpen(undefined)} wide>
          <Facts
            of={[
              ["Who", who(open)],
              [
                "Of",
                <>
                  {words(S[open.subjectType ?? 0])} {nameOf(open)} <Id of={open} />
                </>,
              ],
              ["From", open.ip || "the server"],
              ["When", when(open.createdAt)],
              ["Number", count(open.sequence)],
              ...open.details.map((d): [string, React.ReactNode] => [words(d.name), d.value]),
              ["Hash", <span className="mono">{[...(open.hash ?? [])].map((b) => b.toString(16).padStart(2, "0")).join("")}</span>],
            ]}
          />
        </Window>
      )}
    </>
  );
}
/** The records of the log that the live feed has, too. An event of a purchase may be of the item that it brought. */
const KINDS: Partial<Record<S, readonly T[]>> = {
  [S.CONTRACT]: [T.CONTRACT],
  [S.POOL]: [T.POOL],
  [S.INTENT]: [T.INTENT],
  [S.PURCHASE]: [T.PURCHASE, T.INVENTORY_ITEM],
  [S.ACCOUNT]: [T.ACCOUNT],
  [S.REMEDIATION]: [T.REMEDIATION],
  [S.PROVIDER]: [T.PROVIDER],
  [S.IMPORT]: [T.IMPORT],
  [S.INVENTORY_CHANGE]: [T.INVENTORY_CHANGE],
  [S.FRIEND]: [T.FRIEND],
  [S.CONFIRMATION]: [T.CONFIRMATION],
  [S.ACCOUNT_SESSION]: [T.ACCOUNT_SESSION],
  [S.RENEWAL]: [T.RENEWAL],
};
/** The page of the record, where the log says of which kind it is. */
const pathOfEvent = (e: AuditEvent): string | undefined => {
  const [kind, ...others] = KINDS[e.subjectType ?? 0] ?? [];
  return kind && others.length === 0 ? pathOf(kind, e.subjectId) : undefined;
};
const Id = ({ of: e }: { of: AuditEvent }) => {
  const to = pathOfEvent(e);
  const id = <span className="mono">{show(e.subjectId)}</span>;
  return to ? <Link href={to}>{id}</Link> : id;
};
const subjectsOf = (events: readonly AuditEvent[]) =>
  events.flatMap((e) => (KINDS[e.subjectType ?? 0] ?? []).map((subjectType) => ({ subjectType, subjectId: e.subjectId })));
const useVerify = () =>
  useQuery({
    queryKey: ["VerifyAuditChain"],
    enabled: false,
    retry: false,
    queryFn: ({ signal }) => verifyAuditChain({}, { signal, timeoutMs: 30_000 }),
  });
type Check = { check: ReturnType<typeof useVerify> };
const VerifyButton = ({ check }: Check) => (
  <May call={verifyAuditChain}>
    <Button onPress={() => void check.refetch()} isPending={check.isFetching}>
      <Icon name="audit" /> {check.isFetching ? "Verifying…" : "Verify the chain"}
    </Button>
  </May>
);
function Verified({ check }: Check) {
  const d = check.data;
  if (!check.isError && !d) return null;
  return (
    <div className="tools">
      {check.isError ? (
        <Failed error={check.error} />
      ) : d?.ok ? (
        <Notice tone="good" icon="check">
          The chain is whole: {count(d.head?.sequence)} entries{d.waiting ? `, ${count(d.waiting)} wait to be chained` : ""}.
        </Notice>
      ) : (
        <Notice tone="bad">
          The chain is broken at entry {count(d?.firstBadSequence)}. Keep a copy of the database and compare it with a backup.
        </Notice>
      )}
    </div>
  );
}
