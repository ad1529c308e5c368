import { useEffect, useState, type FormEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { count, several } from "../../core/format.ts";
import { sender } from "../../core/keys.ts";
import type { End } from "../../core/runs.ts";
import { may, queries, refresh } from "../../core/queries.ts";
import { setTradingHalt } from "../../gen/accounts/v1/workspace_calls.ts";
import { countInventoryItems } from "../../gen/contracts/v1/inventory_item_calls.ts";
import { countPurchases } from "../../gen/contracts/v1/purchase_calls.ts";
import { Button } from "../../ui/button.tsx";
import { Meter } from "../../ui/card.tsx";
import Window from "../../ui/dialog.tsx";
import { Field, firstProblem, type Spec } from "../../ui/field.tsx";
import { Interrupted, Refusals, useRun } from "../../ui/run.tsx";
import { Failed, Loaded, Notice } from "../../ui/state.tsx";
import { say } from "../../ui/toast.tsx";
import { planOf, stop, type Part, type Plan, type Target } from "./plan.ts";

const REASON: Spec = {
  name: "reason",
  label: "Reason",
  required: true,
  wide: true,
  max: 200,
  placeholder: "What you saw",
  hint: "Everyone in the workspace sees it, and it is kept with each record.",
};
const PARTS: readonly Part[] = ["halt", "intents", "purchases", "items"];
const WHAT: Record<Part, string> = {
  halt: "Halt trading",
  intents: "Cancel proposals that have not begun",
  purchases: "Cancel purchases that were not sent",
  items: "Delist items",
};
const none = async () => ({ counts: [] });
/** After so long without the plan, in milliseconds, trading can be halted without it. */
const PATIENCE = 2000;

/** Halts trading and withdraws all that can still be withdrawn. */
export default function StopEverything({ halted, close }: { halted: boolean; close: () => void }) {
  const [busy, setBusy] = useState(false);
  const [first, setFirst] = useState<Plan>();
  const [typed, setTyped] = useState(false);
  // What was typed before the plan came is kept for it.
  const [reason, setReason] = useState("");
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  const query = useQuery({
    queryKey: ["stop", halted],
    // The plan is what is shown and then done: it does not change while the window is open.
    staleTime: Infinity,
    gcTime: 0,
    enabled: !first,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) =>
      planOf(
        halted,
        {
          purchases: () => (may(countPurchases) ? countPurchases({}, { signal }) : none()),
          items: () => (may(countInventoryItems) ? countInventoryItems({}, { signal }) : none()),
        },
        signal,
      ),
  });
  if (query.data && !first) setFirst(query.data);
  return (
    <Window title="Stop everything" close={close} locked={busy} typed={typed && !busy} wide>
      {!first && !halted && (late || query.isError) && <HaltNow reason={reason} setReason={setReason} lock={setBusy} />}
      <Loaded query={{ ...query, data: first }} lines={5}>
        {(plan) => <Stop plan={plan} reason={reason} setReason={setReason} close={close} lock={setBusy} type={setTyped} />}
      </Loaded>
    </Window>
  );
}

interface Asked {
  reason: string;
  setReason: (reason: string) => void;
  lock: (busy: boolean) => void;
}
/** Halts trading without the plan. That comes then, or is asked for again. */
function HaltNow({ reason, setReason, lock }: Asked) {
  const values = { reason };
  const [show, setShow] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [send] = useState(sender<void>);
  useEffect(() => {
    lock(busy);
    return () => lock(false);
  }, [busy]);
  const submit = async (e: FormEvent) => {
    e.preventDefault();
    setShow(true);
    if (busy || firstProblem([REASON], values)) return;
    setBusy(true);
    setError(undefined);
    try {
      await send(values, async () => void (await setTradingHalt({ halted: true, reason: reason.trim() })));
      say("Trading is halted.");
      await queries.invalidateQueries({ queryKey: ["GetWorkspace"] });
    } catch (x) {
      setError(x);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(e) => void submit(e)} noValidate>
      <div className="prose">
        <p>What else can be stopped is not known yet. Halting does not wait for it: from then on nothing new starts.</p>
      </div>
      <Field spec={REASON} values={values} set={(_n, v) => setReason(v)} show={show} focus />
      {error !== undefined && <Failed error={error} sent />}
      <footer>
        <Button type="submit" kind="primary bad" isPending={busy}>
          {busy ? "Halting…" : "Halt now"}
        </Button>
      </footer>
    </form>
  );
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
  const { busy, end, done, refused, left, go, stop: halt } = useRun(plan.targets);
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
      {!started && <Before plan={plan} />}
      {started && <Progress plan={plan} done={done} wrong={refused.map(([t]) => t)} />}
      <Refusals of={refused} name={(t) => t.name} href={(t) => t.href} go={close} />
      {end && <After end={end} plan={plan} done={done} refused={refused.length} left={left} />}
      {!started && plan.targets.length > 0 && <Field spec={REASON} values={values} set={(_n, v) => setReason(v)} show={show} focus />}
      <footer>
        {busy ? (
          <Button onPress={() => halt()}>Stop here</Button>
        ) : (
          <Button onPress={close} kind={end === "done" ? "primary" : ""}>
            {end || plan.targets.length === 0 ? "Close" : "Cancel"}
          </Button>
        )}
        {!busy && (end === undefined ? plan.targets.length > 0 : left > 0) && (
          <Button type="submit" kind="primary bad">
            {end ? `Continue with the other ${count(left)}` : "Stop everything"}
          </Button>
        )}
      </footer>
    </form>
  );
}

const of = (targets: readonly Target[], part: Part) => targets.filter((t) => t.part === part).length;

function Before({ plan }: { plan: Plan }) {
  const n = (part: Part) => of(plan.targets, part);
  return (
    <div className="prose">
      <p>{plan.targets.length ? "This does, in this order:" : "Trading is halted, and nothing is left that you can withdraw."}</p>
      {plan.targets.length > 0 && (
        <ul>
          <li>{n("halt") ? "halts trading: nothing new starts" : "trading is halted already, and stays so"}</li>
          {!plan.refused.includes("intents") && <li>cancels {several(n("intents"), "proposal", "proposals")} that have not begun</li>}
          {!plan.refused.includes("purchases") && <li>cancels {several(n("purchases"), "purchase", "purchases")} that were not sent</li>}
          {!plan.refused.includes("items") && <li>requests to delist {several(n("items"), "item", "items")}</li>}
        </ul>
      )}
      <Leaving n={plan.leaving} />
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
/** What is not stopped, and why. */
const Stays = ({ plan }: { plan: Plan }) => (
  <>
    {(plan.sent > 0 || plan.bound > 0) && (
      <p>
        Not stopped:{" "}
        {[
          plan.sent > 0 && `${several(plan.sent, "purchase", "purchases")} that ${plan.sent === 1 ? "was" : "were"} sent`,
          plan.bound > 0 && `${several(plan.bound, "item", "items")} in delivery to a buyer, or just being listed`,
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

function Progress({ plan, done, wrong }: { plan: Plan; done: readonly Target[]; wrong: readonly Target[] }) {
  const all = plan.targets.length;
  return (
    <>
      <ul className="meters" role="list" aria-label="Progress">
        {PARTS.filter((p) => of(plan.targets, p) > 0).map((p) => {
          const whole = of(plan.targets, p);
          const bad = of(wrong, p);
          const good = of(done, p);
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
        {done.length + wrong.length} of {all}
      </p>
    </>
  );
}

function After({ end, plan, done, refused, left }: { end: End; plan: Plan; done: readonly Target[]; refused: number; left: number }) {
  return (
    <>
      <Interrupted end={end} left={left} />
      {end === "done" && (
        <Notice tone={refused ? "" : "good"} icon={refused ? "problems" : "check"}>
          {refused
            ? `${several(done.length, "was", "were")} done. ${several(refused, "was", "were")} refused for the reason above: look at ${refused === 1 ? "it" : "each"} yourself.`
            : "All of it was done."}
        </Notice>
      )}
      <Leaving n={plan.leaving + of(done, "items")} />
      <div className="prose">
        <Stays plan={plan} />
      </div>
    </>
  );
}
