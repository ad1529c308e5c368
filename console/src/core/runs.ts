import { Code, ConnectError } from "@connectrpc/connect";
import { passing, reasonOf, unreached, waitFor } from "./trouble.ts";

/** One call of many. Its key stays the same however often it is sent, so that a call whose answer was lost is not done twice. */
export interface Task<T> {
  row: T;
  key: string;
}
export const tasksOf = <T>(rows: readonly T[]): Task<T>[] => rows.map((row) => ({ row, key: crypto.randomUUID() }));

/** How a run ended: all were answered, the server cannot be reached, the person did not confirm who they are, or stopped it. */
export type End = "done" | "lost" | "unconfirmed" | "stopped";

// A workspace may send some hundreds of changes a minute, and the person's other pages take their share.
const PACE = 120;
const TRIES = 4;
/** Waits so long, or until it is stopped. */
export const rest = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise<void>((then) => {
    const t = setTimeout(then, ms);
    stop.addEventListener("abort", () => (clearTimeout(t), then()), { once: true });
  });

const unanswered = (error: unknown) => passing(error) || unreached(error);

/** Sends a call until it is answered; undefined says that it was done, anything else is why not. */
async function answered(send: () => Promise<unknown>, stop: AbortSignal): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    try {
      await send();
      return undefined;
    } catch (error) {
      const full = ConnectError.from(error).code === Code.ResourceExhausted;
      if (stop.aborted || !unanswered(error) || (tries >= TRIES && !full)) return error;
      await rest(waitFor(tries - 1, error), stop);
    }
  }
}

/**
 * Sends the tasks one after the other, and takes each from the list once it is answered. What is left in the list was not answered: the
 * same list continues later. `each` gets the outcomes.
 */
export async function oneByOne<T>(
  tasks: Task<T>[],
  act: (row: T, key: string) => Promise<unknown>,
  each: (row: T, error: unknown) => void,
  stop: AbortSignal,
): Promise<End> {
  for (let first = true; tasks.length > 0; first = false) {
    if (!first) await rest(PACE, stop);
    if (stop.aborted) return "stopped";
    const { row, key } = tasks[0]!;
    const error = await answered(() => act(row, key), stop);
    if (error !== undefined) {
      if (["STEP_UP_REQUIRED", "REAUTH_REQUIRED", "RISKS_NOT_ACKNOWLEDGED"].includes(reasonOf(error))) return "unconfirmed";
      if (unanswered(error)) return stop.aborted ? "stopped" : "lost";
      if (ConnectError.from(error).code === Code.Unauthenticated) return "lost";
    }
    tasks.shift();
    each(row, error);
  }
  return "done";
}
