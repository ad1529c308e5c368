import { settles } from "./trouble.ts";

type Values = Readonly<Record<string, string>>;
/** What was sent at a press of a button, as long as no answer says what came of it. */
interface Press<R> {
  values: string;
  key: string;
  /** How often each operation was called in this run. */
  calls: Map<string, number>;
  run: () => Promise<R>;
}

let current: Press<unknown> | undefined;
/**
 * The idempotency key of a call that begins now. Within the run of a window it is the window's: no page can forget it. The server keeps the
 * keys of each operation apart, so that only the second call of the same one needs a key of its own.
 */
export function keyOf(operation: string): string {
  if (!current) return crypto.randomUUID();
  const n = current.calls.get(operation) ?? 0;
  current.calls.set(operation, n + 1);
  return n ? `${current.key}-${n}` : current.key;
}

export type Send<R> = (values: Values, run: (v: Values) => Promise<R>) => Promise<R>;
/**
 * Sends what one window or form has. Pressed again with the same values, it sends the same run with the same keys until an answer settles
 * what came of it, so that nothing is done twice because an answer was lost. A run that is sent again has the version of the record that it
 * had at first: the record may have changed by that very run.
 */
export function sender<R>(): Send<R> {
  let open: Press<R> | undefined;
  return async (values, run) => {
    const typed = JSON.stringify(values);
    if (open?.values !== typed) open = { values: typed, key: crypto.randomUUID(), calls: new Map(), run: () => run(values) };
    const press = open;
    press.calls.clear();
    current = press;
    try {
      const result = await press.run();
      open = undefined;
      return result;
    } catch (error) {
      if (settles(error)) open = undefined;
      throw error;
    } finally {
      if (current === press) current = undefined;
    }
  };
}
