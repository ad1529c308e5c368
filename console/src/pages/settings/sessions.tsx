import { ago, eventWords, iso, several, when, words } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { usePages } from "../../core/pages.ts";
import { useCall } from "../../core/queries.ts";
import { listMyAuditEvents } from "../../gen/accounts/v1/audit_calls.ts";
import type { AuditEvent } from "../../gen/accounts/v1/audit_pb.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "../../gen/accounts/v1/session_calls.ts";
import { SignInMethod, type Session } from "../../gen/accounts/v1/session_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Selected, Table, usePicks, type Column } from "../../ui/table.tsx";
import { Failed, Loaded, Skeleton } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import { say } from "../../ui/toast.tsx";

/** "Mozilla/5.0 (X11; Linux x86_64) … Chrome/148…" to "Chrome on Linux". */
function device(agent: string | undefined): string {
  if (!agent) return "A program";
  const browser = /Edg\//.test(agent)
    ? "Edge"
    : /Firefox\//.test(agent)
      ? "Firefox"
      : /Chrome\//.test(agent)
        ? "Chrome"
        : /Safari\//.test(agent)
          ? "Safari"
          : "";
  const system = /Android/.test(agent)
    ? "Android"
    : /iPhone|iPad/.test(agent)
      ? "iOS"
      : /Windows/.test(agent)
        ? "Windows"
        : /Mac OS/.test(agent)
          ? "macOS"
          : /Linux/.test(agent)
            ? "Linux"
            : "";
  return browser ? `${browser}${system ? ` on ${system}` : ""}` : agent.slice(0, 40);
}
const waysOf = (s: Session) => s.methods.map((m) => words(SignInMethod[m]).replace("Totp", "Authenticator app")).join(", ");
const OLD = ["ListSessions"];
const end = async (s: Session, key?: string) => void (await revokeSession({ sessionId: s.id! }, key ? { key } : {}));
const End = ({ s }: { s: Session }) =>
  s.current ? (
    <Badge tone="gain">This one</Badge>
  ) : (
    <Action
      label="End"
      kind="quiet danger"
      danger
      call={revokeSession}
      title="End this session?"
      confirm="End it"
      done="Ended."
      old={OLD}
      run={() => end(s)}
    />
  );
const idOf = (s: Session) => show(s.id);
const COLUMNS: readonly Column<Session>[] = [
  {
    id: "device",
    head: "Device",
    phone: "title",
    cell: (s) => <span className="clip">{device(s.userAgent)}</span>,
    text: (s) => device(s.userAgent),
  },
  { id: "by", head: "Signed in by", from: "md", cell: (s) => <span className="clip muted">{waysOf(s) || "–"}</span>, text: waysOf },
  {
    id: "ip",
    head: "Address",
    width: "8.5rem",
    phone: "note",
    cell: (s) => <span className="mono muted">{s.ip || "–"}</span>,
    text: (s) => s.ip ?? "",
  },
  {
    id: "seen",
    head: "Seen",
    width: "7rem",
    end: true,
    phone: "end",
    cell: (s) => <span className="muted">{ago(s.lastSeenAt, Date.now())}</span>,
    text: (s) => iso(s.lastSeenAt),
  },
  {
    id: "ends",
    head: "Ends",
    width: "11.5rem",
    end: true,
    from: "lg",
    cell: (s) => <span className="num muted">{when(s.expiresAt)}</span>,
    text: (s) => iso(s.expiresAt),
  },
  { id: "do", head: "Actions", width: "6.5rem", end: true, phone: "status", cell: (s) => <End s={s} /> },
];
const BULK: readonly BulkAction<Session>[] = [
  {
    label: "End",
    danger: true,
    call: revokeSession,
    can: (s) => !s.current,
    text: <p>Each of these browsers and programs is signed out at once.</p>,
    run: (s, _v, key) => end(s, key),
    old: OLD,
  },
];
export function Sessions() {
  const query = useCall(listSessions, {});
  const picks = usePicks(BULK);
  const sorted = [...(query.data?.sessions ?? [])].sort((a, b) => Number(b.current) - Number(a.current));
  return (
    <>
      <Card
        title="Sessions"
        note="Where you are signed in"
        flush
        extra={
          <>
            <SaveRows name="sessions" columns={COLUMNS} rows={sorted} />
            <Action
              label="End all others"
              call={revokeOtherSessions}
              title="End all other sessions?"
              confirm="End them"
              old={["ListSessions"]}
              run={async () => {
                const a = await revokeOtherSessions({});
                say(`${several(a.revoked ?? 0, "session", "sessions")} ended.`);
              }}
            />
          </>
        }
      >
        <Loaded query={query}>
          {() => <Table label="Sessions" columns={COLUMNS} rows={sorted} id={idOf} {...(picks ? { picks } : {})} />}
        </Loaded>
        <Selected label="Sessions" picks={picks} actions={BULK} rows={sorted} id={idOf} name={(s) => device(s.userAgent)} />
      </Card>
      <Mine />
    </>
  );
}
const MINE = [
  { head: "When", text: (e: AuditEvent) => iso(e.createdAt) },
  { head: "What", text: (e: AuditEvent) => e.type ?? "" },
  { head: "Address", text: (e: AuditEvent) => e.ip ?? "" },
  { head: "Details", text: (e: AuditEvent) => e.details.map((d) => `${d.name}: ${d.value}`).join("; ") },
];
/** What was done with the person's own account. */
function Mine() {
  const list = usePages<AuditEvent>({
    name: "ListMyAuditEvents",
    filter: "",
    page: async (cursor, signal) => {
      const a = await listMyAuditEvents({ limit: 20, cursor }, { signal });
      return { rows: a.events, next: a.nextCursor };
    },
  });
  const { rows, query } = list;
  return (
    <Card title="Your account" note="What was done with it" extra={<SaveRows name="your-account" columns={MINE} of={list} />}>
      {query.isError ? (
        <Failed error={query.error} again={query.refetch} />
      ) : query.isPending ? (
        <Skeleton lines={4} />
      ) : (
        <ol className="steps">
          {rows.map((e) => (
            <li key={show(e.id)}>
              <span>{eventWords(e.type)}</span>
              <time>{when(e.createdAt)}</time>
              {e.ip && <small className="mono">{e.ip}</small>}
            </li>
          ))}
        </ol>
      )}
      {!list.complete && (
        <>
          <br />
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </>
      )}
    </Card>
  );
}
