import { useEffect, useRef, useState, type FormEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { count, several } from "../../core/format.ts";
import { sender } from "../../core/keys.ts";
import type { End } from "../../core/runs.ts";
import { queries, refresh } from "../../core/queries.ts";
import { trouble } from "../../core/trouble.ts";
import { setTradingHalt } from "../../gen/accounts/v1/workspace_calls.ts";
import { Button } from "../../ui/button.tsx";
import { Meter } from "../../ui/card.tsx";
import Window from "../../ui/dialog.tsx";
import { Field, firstProblem, type Spec } from "../../ui/field.tsx";
import { Interrupted, Refusals } from "../../ui/run.tsx";
import { Failed, Loaded, Notice } from "../../ui/state.tsx";
import { say } from "../../ui/toast.tsx";
import { PARTS, planOf, stop, type Part, type Plan, type Target } from "./plan.ts";
import { rounds, type Progress } from "./rounds.ts";

const REASON: Spec = {
  name: "reason",
  label: "Reason",
  required: true,
  wide: true,
  max: 200,
  placeholder: "What you saw",
  hint: "Everyone in the workspace sees it, and it is kept with each record.",
};
const WHAT: Record<Part, string> = {
  halt: "Halt trading",
  contracts: "Pause selling contracts",
  intents: "Cancel proposals that have not begun",
  purchases: "Cancel purchases that were not sent",
  offers: "Cancel trade offers that were not sent",
  items: "Delist items",
};
/** After so long without the plan, in milliseconds, trading can be halted without it. */
const PATIENCE = 2000;

/** Halts trading, pauses the contracts that sell, and withdraws all that can still be withdrawn. */
export default function StopEverything({ halted, close }: { halted: boolean; close: () => void }) {
  const [busy, setBusy] = useState(false);
  const [first, setFirst] = useState<Plan>();
  const [typed, setTyped] = useState(false);
  // What was typed before the plan came is kept for it.
  const [reason, setReason] = useState("");
  const [late, setLate] = useState(false);
  // This window has halted trading: known before the page has read the workspace again.
  const [done, setDone] = useState(false);
  const isHalted = halted || done;
  // Why the halt failed: it stays when the plan comes.
  const [error, setError] = useState<unknown>();
  const lock = (busy: boolean) => {
    setBusy(busy);
    if (busy) setError(undefined);
  };
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  const query = useQuery({
    queryKey: ["stop", isHalted],
    // The plan is what is shown before it is done: it does not change while the person reads it.
    staleTime: Infinity,
    gcTime: 0,
    enabled: !first,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => planOf(isHalted, signal),
  });
  // A plan that comes while trading is being halted is from before the halt: the one after it counts.
  if (query.data && !first && !busy) setFirst(query.data);
  return (
    <Window title="Stop everything" close={close} locked={busy} typed={typed && !busy} wide>
      {error !== undefined && <Failed error={error} sent />}
      {!first && !isHalted && (late || query.isError) && (
        <HaltNow reason={reason} setReason={setReason} busy={busy} lock={lock} halted={() => setDone(true)} fail={setError} />
      )}
      <Loaded query={{ ...query, data: first }} lines={5}>
        {(plan) => <Stop plan={plan} reason={reason} setReason={setReason} close={close} lock={lock} type={setTyped} />}
      </Loaded>
    </Window>
  );
}

interface Asked {
  reason: string;
  setReason: (reason: string) => void;
  lock: (busy: boolean) => void;
}
interface HaltNowProps extends Asked {
  busy: boolean;
  /** Called once trading is halted. */
  halted: () => void;
  /** Called with why it is not, or why that is not known. */
  fail: (error: unknown) => void;
}
/** Halts trading without the plan. That is read again from then on. */
function HaltNow({ reason, setReason, busy, lock, halted, fail }: HaltNowProps) {
  const values = { reason };
  const [show, setShow] = useState(false);
  const [send] = useState(sender<void>);
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (busy || firstProblem([REASON], values)) return;
    lock(true);
    try {
      await send(values, async () => void (await setTradingHalt({ halted: true, reason: reason.trim() })));
      halted();
      say("Trading is halted.");
      void queries.invalidateQueries({ queryKey: ["GetWorkspace"] });
    } catch (error) {
      fail(error);
    } finally {
      lock(false);
    }
  };
  return (
    <form onSubmit={(e) => void submit(e)} noValidate>
      <div className="prose">
        <p>
          What else can be stopped is not known yet. Halting does not wait for it: from then on nothing new is bought. Selling continues.
        </p>
      </div>
      <Field spec={REASON} values={values} set={(_n, v) => setReason(v)} show={show} focus />
      <footer>
        <Button type="submit" kind="primary bad" isPending={busy}>
          {busy ? "Halting…" : "Halt now"}
        </Button>
      </footer>
    </form>
  );
}

/** Stops what the plan has, round after round. */
function useRounds(first: Plan) {
  const [run] = useState(() => rounds(first, () => planOf(true)));
  const [now, setNow] = useState(run.now);
  const [busy, setBusy] = useState(false);
  const [end, setEnd] = useState<End>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const go = async (act: (t: Target, key: string) => Promise<unknown>) => {
    abort.current = new AbortController();
    setBusy(true);
    setEnd(undefined);
    setEnd(await run.go(act, abort.current.signal, () => setNow(run.now())));
    setBusy(false);
  };
  return { now, busy, end, go, stop: () => abort.current?.abort() };
}

interface StopProps extends Asked {
  plan: Plan;
  close: () => void;
  /** Called with whether a reason is typed and nothing has begun. */
  type: (typed: boolean) => void;
}
function Stop({ plan, reason, setReason, close, lock, type }: StopProps) {
  const values = { reason };
  const [show, setShow] = useState(false);
  const { now, busy, end, go, stop: halt } = useRounds(plan);
  const left = now.targets.length - now.done.length - now.refused.length;
  const isNeeded = plan.targets.length > 0 || plan.coming > 0;
  useEffect(() => lock(busy), [busy]);
  useEffect(() => type(reason !== "" && !busy && !end), [reason, busy, end]);
  const run = async () => {
    await go(async (t, key) => {
      await stop(t, reason.trim(), key);
      if (t.part === "halt") void queries.invalidateQueries({ queryKey: ["GetWorkspace"] });
    });
    void refresh();
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (!busy && !firstProblem([REASON], values)) void run();
  };
  const started = busy || end !== undefined;
  return (
    <form onSubmit={submit} noValidate>
      {!started && <Before plan={plan} isNeeded={isNeeded} />}
      {started && <Meters now={now} />}
      <Refusals of={now.refused} name={(t) => t.name} href={(t) => t.href} go={close} />
      {busy && left === 0 && <p className="muted">Looking whether something is left.</p>}
      {end && <After end={end} now={now} left={left} />}
      {!started && isNeeded && <Field spec={REASON} values={values} set={(_n, v) => setReason(v)} show={show} focus />}
      <footer>
        {busy ? (
          <Button onPress={() => halt()}>Stop here</Button>
        ) : (
          <Button onPress={close} kind={end === "done" && !now.isOpen ? "primary" : ""}>
            {end || !isNeeded ? "Close" : "Cancel"}
          </Button>
        )}
        {!busy && (end ? left > 0 || now.isOpen : isNeeded) && (
          <Button type="submit" kind="primary bad">
            {!end ? "Stop everything" : left > 0 ? `Continue with the other ${count(left)}` : "Look again"}
          </Button>
        )}
      </footer>
    </form>
  );
}

const of = (targets: readonly Target[], part: Part) => targets.filter((t) => t.part === part).length;

function Before({ plan, isNeeded }: { plan: Plan; isNeeded: boolean }) {
  const n = (part: Part) => of(plan.targets, part);
  const may = (part: Part) => !plan.refused.includes(part);
  return (
    <div className="prose">
      <p>{isNeeded ? "This does, in this order:" : "Trading is halted, and nothing is left that you can withdraw."}</p>
      {isNeeded && (
        <ul>
          <li>{n("halt") ? "halts trading: nothing new is bought" : "trading is halted already, and stays so"}</li>
          {may("contracts") && (
            <li>
              pauses {several(n("contracts"), "selling contract", "selling contracts")}, so that none lists an item or changes a price
            </li>
          )}
          {may("intents") && <li>cancels {several(n("intents"), "proposal that has not begun", "proposals that have not begun")}</li>}
          {may("purchases") && <li>cancels {several(n("purchases"), "purchase that was not sent", "purchases that were not sent")}</li>}
          {may("offers") && <li>cancels {several(n("offers"), "trade offer that was not sent", "trade offers that were not sent")}</li>}
          {may("items") && <li>requests to delist {several(n("items"), "item", "items")}</li>}
        </ul>
      )}
      {isNeeded && <p>Then it looks again, and stops what has begun since. Paused contracts stay paused until you resume them.</p>}
      <Leaving n={plan.leaving} />
      <Coming n={plan.coming} />
      <Stays plan={plan} />
    </div>
  );
}
/** Delisting is a proposal, which the engine carries out at the marketplace. */
const Leaving = ({ n }: { n: number }) =>
  n > 0 && (
    <p className="muted">
      {several(n, "item is", "items are")} asked to be delisted and {n === 1 ? "stays" : "stay"} on sale until the engine has done it.
    </p>
  );
/** An item is delisted by its listing, which is not known before the marketplace has answered. */
const Coming = ({ n }: { n: number }) =>
  n > 0 && (
    <p className="muted">
      {several(n, "item is", "items are")} being listed and can be delisted once {n === 1 ? "it is" : "they are"} on sale.
    </p>
  );
/** What is not stopped, and why. */
const Stays = ({ plan }: { plan: Plan }) => (
  <>
    {(plan.sent > 0 || plan.bound > 0) && (
      <p>
        Not stopped:{" "}
        {[
          plan.sent > 0 && `${several(plan.sent, "purchase", "purchases")} that ${plan.sent === 1 ? "was" : "were"} sent`,
          plan.bound > 0 && `${several(plan.bound, "item", "items")} in delivery to a buyer`,
        ]
          .filter(Boolean)
          .join(", and ")}
        . Each is followed to its end.
      </p>
    )}
    {plan.refused.length > 0 && (
      <p>Your role does not allow, and this leaves as it is: {plan.refused.map((p) => WHAT[p].toLowerCase()).join("; ")}.</p>
    )}
  </>
);

function Meters({ now }: { now: Progress }) {
  const wrong = now.refused.map(([t]) => t);
  return (
    <>
      <ul className="meters" role="list" aria-label="Progress">
        {PARTS.filter((p) => of(now.targets, p) > 0).map((p) => {
          const whole = of(now.targets, p);
          const bad = of(wrong, p);
          const good = of(now.done, p);
          return (
            <li key={p}>
              <span>{WHAT[p]}</span>
              <Meter part={good + bad} whole={whole} label={`${good} done, ${bad} refused, of ${whole}`} tone={bad ? "loss" : ""} />
              <span className="num">
                {count(good)} of {count(whole)}
              </span>
            </li>
          );
        })}
      </ul>
      <p className="vh" role="status">
        {now.done.length + wrong.length} of {now.targets.length}
      </p>
    </>
  );
}

function After({ end, now, left }: { end: End; now: Progress; left: number }) {
  const refused = now.refused.length;
  return (
    <>
      <Interrupted end={end} left={left} />
      {end === "done" && refused > 0 && (
        <Notice>
          {several(now.done.length, "was", "were")} done. {several(refused, "was", "were")} refused for the reason above: look at{" "}
          {refused === 1 ? "it" : "each"} yourself.
        </Notice>
      )}
      {end === "done" && now.isOpen && <Open now={now} />}
      {end === "done" && refused === 0 && !now.isOpen && (
        <Notice tone="good" icon="check">
          All of it was done.
        </Notice>
      )}
      <Leaving n={now.leaving} />
      <div className="prose">
        <Stays plan={now.plan} />
      </div>
    </>
  );
}
/** What the last look left open. */
function Open({ now }: { now: Progress }) {
  if (now.unread !== undefined)
    return (
      <Notice tone="bad">
        <b>Whether something is left is not known.</b> {trouble(now.unread).text}
      </Notice>
    );
  const n = now.plan.coming;
  return (
    <Notice>
      {n > 0
        ? `${several(n, "item is", "items are")} still being listed. Look again once ${n === 1 ? "it is" : "they are"} on sale.`
        : "The last look found something new. Look again."}
    </Notice>
  );
}
