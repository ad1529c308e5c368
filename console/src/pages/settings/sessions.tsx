import { useInfiniteQuery } from "@tanstack/react-query";
import { ago, eventWords, iso, several, when, words } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useCall } from "../../core/queries.ts";
import { listMyAuditEvents } from "../../gen/accounts/v1/audit_calls.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "../../gen/accounts/v1/session_calls.ts";
import { SignInMethod, type Session } from "../../gen/accounts/v1/session_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
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
const FILE = [
  { head: "Device", text: (s: Session) => device(s.userAgent) },
  { head: "Signed in by", text: waysOf },
  { head: "Address", text: (s: Session) => s.ip ?? "" },
  { head: "Seen", text: (s: Session) => iso(s.lastSeenAt) },
  { head: "Ends", text: (s: Session) => iso(s.expiresAt) },
];
export function Sessions() {
  const query = useCall(listSessions, {});
  const sorted = [...(query.data?.sessions ?? [])].sort((a, b) => Number(b.current) - Number(a.current));
  return (
    <>
      <Card
        title="Sessions"
        note="Where you are signed in"
        flush
        extra={
          <>
            <SaveRows name="sessions" columns={FILE} rows={sorted} />
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
          {() => (
            <div className="scroll">
              <table className="rows">
                <thead>
                  <tr>
                    <th scope="col">Device</th>
                    <th scope="col">Signed in by</th>
                    <th scope="col">Address</th>
                    <th scope="col" className="end">
                      Seen
                    </th>
                    <th scope="col" className="end">
                      Ends
                    </th>
                    <th scope="col" className="end">
                      <span className="vh">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {sorted.map((s) => (
                    <tr key={show(s.id)}>
                      <th scope="row">
                        {device(s.userAgent)} {s.current && <Badge tone="gain">This one</Badge>}
                      </th>
                      <td className="muted">{waysOf(s) || "–"}</td>
                      <td className="mono muted">{s.ip || "–"}</td>
                      <td className="end muted">{ago(s.lastSeenAt, Date.now())}</td>
                      <td className="end muted">{when(s.expiresAt)}</td>
                      <td className="end tight">
                        {!s.current && (
                          <Action
                            label="End"
                            kind="quiet danger"
                            danger
                            call={revokeSession}
                            title="End this session?"
                            confirm="End it"
                            done="Ended."
                            old={["ListSessions"]}
                            run={async () => void (await revokeSession({ sessionId: s.id! }))}
                          />
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Loaded>
      </Card>
      <Mine />
    </>
  );
}
/** What was done with the person's own account. */
function Mine() {
  const list = useInfiniteQuery({
    queryKey: ["ListMyAuditEvents"],
    initialPageParam: "",
    queryFn: ({ pageParam: cursor, signal }) => listMyAuditEvents({ limit: 20, cursor }, { signal }),
    getNextPageParam: (p) => p.nextCursor || undefined,
  });
  const rows = list.data?.pages.flatMap((p) => p.events) ?? [];
  return (
    <Card title="Your account" note="What was done with it">
      {list.isError ? (
        <Failed error={list.error} again={list.refetch} />
      ) : list.isPending ? (
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
      {list.hasNextPage && (
        <>
          <br />
          <Button onPress={() => void list.fetchNextPage()} isPending={list.isFetchingNextPage}>
            Show earlier
          </Button>
        </>
      )}
    </Card>
  );
}
