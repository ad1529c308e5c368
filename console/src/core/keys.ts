import { settles } from "./trouble.ts";

type Values = Readonly<Record<string, string>>;
/** A call of a window that changes something, and its answer once it succeeded. */
interface Step {
  operation: string;
  body: string;
  key: string;
  answer?: unknown;
}
/** One press of a window's button. */
interface Press {
  /** The calls of this press and of those before it, as long as the window has not succeeded. */
  steps: Set<Step>;
  /** The ones that this press has come to: the same call, made twice in a run, is two. */
  taken: Set<Step>;
}

let current: Press | undefined;
/**
 * Sends a call that changes something, under its idempotency key. Within the run of a window the window keeps the key: no page can forget
 * it. Pressed again, the window sends the same call with the same key, and does not send one that succeeded: it goes on with the call that
 * failed. A call that was refused, and one with another request, has a key of its own.
 */
export async function keyed<A>(operation: string, body: () => string, call: (key: string) => Promise<A>): Promise<A> {
  const press = current;
  if (!press) return call(crypto.randomUUID());
  const text = body();
  let step = [...press.steps].find((s) => s.operation === operation && s.body === text && !press.taken.has(s));
  if (!step) press.steps.add((step = { operation, body: text, key: crypto.randomUUID() }));
  press.taken.add(step);
  try {
    return (step.answer ??= await call(step.key)) as A;
  } catch (error) {
    if (settles(error)) press.steps.delete(step);
    throw error;
  }
}

export type Send<R> = (values: Values, run: (v: Values) => Promise<R>) => Promise<R>;
/**
 * Sends what one window or form has. Pressed again with the same values, it sends the same run with the same keys until an answer settles
 * what came of it, so that nothing is done twice because an answer was lost. A run that is sent again has the version of the record that it
 * had at first: the record may have changed by that very run.
 */
export function sender<R>(): Send<R> {
  const steps = new Set<Step>();
  let open: { values: string; run: () => Promise<R> } | undefined;
  return async (values, run) => {
    const typed = JSON.stringify(values);
    if (open?.values !== typed) open = { values: typed, run: () => run(values) };
    const press = (current = { steps, taken: new Set<Step>() });
    try {
      const result = await open.run();
      open = undefined;
      steps.clear();
      return result;
    } catch (error) {
      if (settles(error)) open = undefined;
      throw error;
    } finally {
      if (current === press) current = undefined;
    }
  };
}
