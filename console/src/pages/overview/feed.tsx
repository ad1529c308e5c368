import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "wouter";
import { ago, ms, when, words } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { marketNow, useChanged, useRecent } from "../../core/live.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { NAMES, pathOf } from "../../core/subjects.ts";
import { getTransitions, listTransitions } from "../../gen/contracts/v1/transition_calls.ts";
import { TransitionSubjectType as T, type Transition } from "../../gen/contracts/v1/transition_pb.ts";
import { Status } from "../../ui/status.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";

export function FeedRow({ t, name: known, fresh, now }: { t: Transition; name: string | undefined; fresh?: boolean; now: number }) {
  const to = pathOf(t.subjectType, t.subjectId);
  const name = NAMES[t.subjectType ?? T.UNSPECIFIED];
  return (
    <li className={fresh ? "new" : ""}>
      <Status name={t.toStatus} />
      <span className="what">
        {to ? (
          <Link href={to} title={known}>
            {known || (
              <>
                {name} <span className="mono muted">{show(t.subjectId).slice(-6)}</span>
              </>
            )}
          </Link>
        ) : (
          <span title={known}>{known || name}</span>
        )}
        <small>
          {known && `${name}: `}
          {t.reason || words(t.trigger)}
        </small>
      </span>
      <time dateTime={t.createdAt ? new Date(ms(t.createdAt)).toISOString() : undefined} title={when(t.createdAt)}>
        {ago(t.createdAt, now)}
      </time>
    </li>
  );
}

/** The recent changes, and the handlers of their list: they do not change while the pointer or the focus is in it. */
export function useHeld() {
  const live = useRecent();
  const held = useRef(live);
  const [isRead, setRead] = useState(false);
  if (!isRead) held.current = live;
  const [read, left] = [() => setRead(true), () => setRead(false)];
  return { recent: held.current, reading: { onPointerEnter: read, onPointerLeave: left, onFocus: read, onBlur: left } };
}

/** What happens now, the newest first: loaded after the figures, with the names of all kinds of records. */
export default function Feed() {
  const { recent, reading } = useHeld();
  const changed = useChanged();
  const before = useQuery({
    queryKey: ["ListTransitions", "feed"],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { transitionIds } = await listTransitions({ limit: 20 }, { signal });
      const found = transitionIds.length ? (await getTransitions({ transitionIds }, { signal })).transitions : [];
      return found;
    },
  });
  const ids = new Set(recent.map((t) => show(t.id)));
  const rows = [...recent, ...(before.data ?? []).filter((t) => !ids.has(show(t.id)))].slice(0, 40);
  const names = useSubjectNames(rows);
  if (before.isPending)
    return (
      <div className="body">
        <Skeleton lines={8} />
      </div>
    );
  if (before.isError)
    return (
      <div className="body">
        <Failed error={before.error} again={before.refetch} />
      </div>
    );
  if (rows.length === 0)
    return (
      <Empty icon="usage" title="Nothing has happened yet.">
        <p>Each step of a purchase, an item or a contract appears here.</p>
      </Empty>
    );
  const now = Math.max(marketNow(), ms(rows[0]!.createdAt));
  return (
    <ol className="feed named" aria-label="Changes, the newest first" tabIndex={0} {...reading}>
      {rows.map((t, n) => {
        const fresh = ids.has(show(t.id)) && changed.has(show(t.subjectId));
        // The rows stay where they are and say something else: each that moved would count as a shift of the layout.
        return <FeedRow key={fresh ? show(t.id) : n} t={t} name={names.get(show(t.subjectId))?.name} fresh={fresh} now={now} />;
      })}
    </ol>
  );
}
