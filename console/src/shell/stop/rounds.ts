import { show } from "../../core/ids.ts";
import { oneByOne, rest, tasksOf, type End, type Task } from "../../core/runs.ts";
import { reasonOf } from "../../core/trouble.ts";
import type { Part, Plan, Target } from "./plan.ts";

/** How often one press looks at most whether something is left. */
const LOOKS = 8;
/** The time between two looks, in milliseconds: an engine makes a pass in it and ends what it had begun. */
const WAIT = 1500;
/** How often one press tries a target that is refused for something that ends by itself. */
const TRIES = 3;
const PASSING = ["INTENT_EXISTS", "OFFER_REQUEST_OPEN", "CONFLICT"];
/** They withdraw proposals themselves: what else is to be stopped is read again after them. */
const FIRST: readonly Part[] = ["halt", "contracts"];

/** How far it has come. */
export interface Progress {
  /** As it was read last. */
  plan: Plan;
  /** All that was to be stopped in any round. */
  targets: readonly Target[];
  done: readonly Target[];
  refused: readonly (readonly [Target, unknown])[];
  /** On sale until the engine has delisted them. */
  leaving: number;
  /** Something may be left: the last look found something, failed, or was not made yet. */
  isOpen: boolean;
  /** Why the last look failed. */
  unread: unknown;
}
export interface Rounds {
  /** Begins, or continues after an interruption. `changed` is called after each step. */
  go: (act: (t: Target, key: string) => Promise<unknown>, stop: AbortSignal, changed: () => void) => Promise<End>;
  now: () => Progress;
}

const LOOK = "look";
type Step = Target | typeof LOOK;
const keyOf = (t: Target): string => `${t.part} ${show(t.id)}`;

/** Stops what the plan has, and looks again until nothing is left: an item may be listed between the first plan and the halt. */
export function rounds(first: Plan, look: () => Promise<Plan>, wait = WAIT): Rounds {
  const known = new Map(first.targets.map((t) => [keyOf(t), t]));
  const done = new Map<string, Target>();
  const refused = new Map<string, readonly [Target, unknown]>();
  const tries = new Map<string, number>();
  const tasks: Task<Step>[] = tasksOf<Step>([...first.targets.filter((t) => FIRST.includes(t.part)), LOOK]);
  let plan = first;
  let looks = 0;
  let delisted = 0;
  let isOpen = true;
  let unread: unknown;
  const isDue = (t: Target): boolean => {
    const key = keyOf(t);
    const why = refused.get(key);
    return !done.has(key) && (!why || (PASSING.includes(reasonOf(why[1])) && (tries.get(key) ?? 0) < TRIES));
  };
  const lookAgain = async (stop: AbortSignal) => {
    if (looks > 0) await rest(wait, stop);
    plan = await look();
    looks += 1;
    delisted = 0;
    unread = undefined;
    const left = new Set(plan.targets.map(keyOf));
    // The halt, a paused contract or another person has ended it.
    for (const [key, t] of known) if (!left.has(key) && !refused.has(key)) done.set(key, t);
    const due = plan.targets.filter(isDue);
    for (const t of due) {
      known.set(keyOf(t), t);
      refused.delete(keyOf(t));
    }
    isOpen = due.length > 0 || plan.coming > 0;
    tasks.push(...tasksOf<Step>(isOpen && looks < LOOKS ? [...due, LOOK] : due));
  };
  const answered = (step: Step, error: unknown) => {
    if (step === LOOK) {
      unread = error;
      isOpen ||= error !== undefined;
      return;
    }
    const key = keyOf(step);
    tries.set(key, (tries.get(key) ?? 0) + 1);
    if (error !== undefined) refused.set(key, [step, error]);
    else {
      done.set(key, step);
      delisted += Number(step.part === "items");
    }
  };
  return {
    go: (act, stop, changed) => {
      looks = 0;
      tries.clear();
      if (tasks.length === 0) tasks.push(...tasksOf<Step>([LOOK]));
      return oneByOne(
        tasks,
        (step, key) => (step === LOOK ? lookAgain(stop) : act(step, key)),
        (step, error) => {
          answered(step, error);
          changed();
        },
        stop,
      );
    },
    now: () => ({
      plan,
      targets: [...known.values()],
      done: [...done.values()],
      refused: [...refused.values()],
      leaving: plan.leaving + delisted,
      isOpen,
      unread,
    }),
  };
}
