import { useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";

interface Toast {
  id: number;
  text: string;
}
let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();
const set = (t: readonly Toast[]) => {
  toasts = t;
  listeners.forEach((l) => l());
};
/** Says for a few seconds that something was done. What went wrong is never said here: it stays where it happened. */
export function say(text: string): void {
  const id = next++;
  set([...toasts, { id, text }].slice(-3));
  setTimeout(() => set(toasts.filter((t) => t.id !== id)), 5000);
}
export function Toasts() {
  const shown = useSyncExternalStore(
    (l) => {
      listeners.add(l);
      return () => void listeners.delete(l);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status">
      {shown.map((t) => (
        <div key={t.id}>
          <Icon name="check" /> {t.text}
        </div>
      ))}
    </div>
  );
}
