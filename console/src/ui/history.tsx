import { iso, when, words } from "../core/format.ts";
import { show, uuid } from "../core/ids.ts";
import { useRecords } from "../core/queries.ts";
import { getTransitions, listTransitions } from "../gen/contracts/v1/transition_calls.ts";
import { TransitionActorKind as K, TransitionSubjectType as T, type Transition } from "../gen/contracts/v1/transition_pb.ts";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { SaveRows } from "./copy.tsx";
import { Failed, Skeleton } from "./state.tsx";
import { wordOf } from "./status.tsx";

const WHO: Record<K, string> = { [K.UNSPECIFIED]: "", [K.USER]: "by a person", [K.KEY]: "by an API key", [K.SYSTEM]: "" };
const line = (t: Transition) => [words(t.trigger), t.reason, WHO[t.actor?.kind ?? 0]].filter(Boolean).join(" · ");

const BY: Record<K, string> = { [K.UNSPECIFIED]: "", [K.USER]: "person", [K.KEY]: "API key", [K.SYSTEM]: "tradepost" };
const FILE = [
  { head: "At", text: (t: Transition) => iso(t.createdAt) },
  { head: "From", text: (t: Transition) => (t.fromStatus ? wordOf(t.fromStatus) : "") },
  { head: "To", text: (t: Transition) => wordOf(t.toStatus) },
  { head: "By", text: (t: Transition) => BY[t.actor?.kind ?? 0] },
  { head: "Actor", text: (t: Transition) => (t.actor?.id?.length ? uuid(t.actor.id) : "") },
  { head: "What happened", text: (t: Transition) => words(t.trigger) },
  { head: "Reason", text: (t: Transition) => t.reason ?? "" },
  { head: "Evidence", text: (t: Transition) => t.evidence ?? "" },
];

/** Every step of one record, the newest first, with what showed it. */
export function History({ type, id, className }: { type: T; id: Uint8Array; className?: string }) {
  const list = useRecords<Transition>({
    name: "ListTransitions",
    filter: [type, show(id)],
    steps: { of: type, id },
    list: async (cursor, signal) => {
      const a = await listTransitions({ subjectType: type, subjectId: id, limit: 50, cursor }, { signal });
      return { ids: a.transitionIds, next: a.nextCursor };
    },
    get: async (transitionIds, signal) => (await getTransitions({ transitionIds }, { signal })).transitions,
  });
  return (
    <Card title="History" className={className ?? ""} extra={<SaveRows name="history" columns={FILE} of={list} />}>
      {list.query.isError ? (
        <Failed error={list.query.error} again={list.query.refetch} />
      ) : list.query.isPending ? (
        <Skeleton lines={5} />
      ) : list.rows.length === 0 ? (
        <p className="muted">No step is recorded yet.</p>
      ) : (
        <ol className="steps">
          {list.rows.map((t) => (
            <li key={show(t.id)}>
              <span>
                {t.fromStatus ? (
                  <>
                    <span className="muted">{wordOf(t.fromStatus)} → </span>
                    <b>{wordOf(t.toStatus)}</b>
                  </>
                ) : (
                  <b>{wordOf(t.toStatus)}</b>
                )}
              </span>
              <time>{when(t.createdAt)}</time>
              <small>
                {line(t)}
                {t.evidence && (
                  <>
                    {" "}
                    · <span className="mono">{t.evidence}</span>
                  </>
                )}
              </small>
            </li>
          ))}
        </ol>
      )}
      {!list.complete && (
        <p>
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </p>
      )}
    </Card>
  );
}
