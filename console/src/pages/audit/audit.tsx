import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { count, eventWords, iso, when, words } from "../../core/format.ts";
import { read, short, show, uuid } from "../../core/ids.ts";
import { useUserNames } from "../../core/members.ts";
import { usePages } from "../../core/pages.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { pathOf } from "../../core/subjects.ts";
import { dayStart } from "../../core/zone.ts";
import { listAuditEvents, verifyAuditChain } from "../../gen/accounts/v1/audit_calls.ts";
import { AuditActorType as A, AuditSubjectType as S, type AuditEvent } from "../../gen/accounts/v1/audit_pb.ts";
import { MembershipStatus } from "../../gen/accounts/v1/membership_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Facts, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import Window from "../../ui/dialog.tsx";
import { ClearFilters, FilterChoice, FilterDay, useFilters } from "../../ui/filters.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageTable } from "../../ui/page-table.tsx";
import { Empty, Failed, May, Notice } from "../../ui/state.tsx";
import type { Column } from "../../ui/table.tsx";
import { useMembers } from "../problems/members.ts";
import { typeChoices, TYPES } from "./types.ts";

const FILTERS = ["type", "actor", "from", "to"];
const CHOICES = typeChoices();
export default function Audit() {
  const [open, setOpen] = useState<AuditEvent>();
  const filters = useFilters(FILTERS);
  const type = TYPES.find((known) => known === filters.of("type")) ?? "";
  const actor = filters.of("actor");
  const [from, to] = [filters.of("from"), filters.of("to")];
  const asked = { type, actorId: read(actor), from: dayStart(from), to: dayStart(to, 1) };
  const list = usePages<AuditEvent>({
    name: "ListAuditEvents",
    filter: [type, actor, from, to].join(" "),
    page: async (cursor, signal) => {
      const a = await listAuditEvents({ limit: 100, cursor, ...asked }, { signal });
      return { rows: a.events, next: a.nextCursor };
    },
  });
  const { rows } = list;
  const actors = useActors(actor);
  const names = useUserNames([
    ...new Map(
      rows.flatMap((e) =>
        [e.actorUserId, e.subjectType === S.USER ? e.subjectId : undefined].flatMap((id) => (id?.length ? [[show(id), id] as const] : [])),
      ),
    ).values(),
  ]);
  const subjects = useSubjectNames(subjectsOf(rows));
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
        <SaveRows name="audit" columns={columns} of={list} />
        <VerifyButton check={check} />
      </Head>
      <Verified check={check} />
      <div className="tools">
        <FilterChoice label="What" name="type" filters={filters} choices={[["", "any"], ...CHOICES]} />
        <FilterChoice label="Who" name="actor" filters={filters} choices={[["", "any"], ...actors]} />
        <div className="pair">
          <FilterDay label="From" name="from" filters={filters} />
          <FilterDay label="To" name="to" filters={filters} />
        </div>
        <ClearFilters filters={filters} />
      </div>
      <Card flush>
        <PageTable
          label="Audit"
          columns={columns}
          rows={list}
          id={(e) => show(e.id)}
          empty={<Empty icon="audit" title={filters.any ? "Nothing is like that." : "Nothing is recorded yet."} />}
        />
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
/** Who can be chosen: everyone who is or was a member, and the one of the address. What a key did counts as done by its user. */
function useActors(chosen: string): (readonly [string, string])[] {
  const members = useMembers(MembershipStatus.UNSPECIFIED);
  const names = new Map(members.data?.map((u) => [show(u.id), u.displayName || short(u.id)]));
  if (chosen && !names.has(chosen)) names.set(chosen, short(read(chosen)));
  return [...names].sort((a, b) => a[1].localeCompare(b[1]));
}
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
