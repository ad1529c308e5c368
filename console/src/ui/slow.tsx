import { useEffect, useState, useSyncExternalStore } from "react";
import { queries } from "../core/queries.ts";
import { Button } from "./button.tsx";

const PATIENCE = 4_000;
/** Of all that wait that long, the first one says so. */
let waiting: readonly symbol[] = [];
const listeners = new Set<() => void>();
const change = (next: readonly symbol[]) => {
  waiting = next;
  listeners.forEach((l) => l());
};
const subscribe = (l: () => void) => {
  listeners.add(l);
  return () => void listeners.delete(l);
};
/** Whether this one waits for an answer that is slow, and is to say so. */
export function useSlow(enabled: boolean): boolean {
  const [me] = useState(() => Symbol());
  useEffect(() => {
    if (!enabled) return;
    const t = setTimeout(() => change([...waiting, me]), PATIENCE);
    return () => {
      clearTimeout(t);
      if (waiting.includes(me)) change(waiting.filter((w) => w !== me));
    };
  }, [enabled, me]);
  return useSyncExternalStore(subscribe, () => waiting[0] === me);
}

const isOpen = (q: { state: { status: string } }) => q.state.status === "pending";
/** Asks again for all that the page waits for. */
async function again() {
  await queries.cancelQueries({ predicate: isOpen, fetchStatus: "fetching" });
  await queries.refetchQueries({ predicate: isOpen, type: "active" });
}
export const Slow = () => (
  <p className="row muted">
    The server is slow. Still waiting.
    {queries.isFetching({ predicate: isOpen }) > 0 && (
      <Button kind="quiet" onPress={() => void again()}>
        Try again
      </Button>
    )}
  </p>
);
