import { lazy, Suspense, useEffect, useState } from "react";
import { hooks, type Asked } from "../core/transport.ts";

const StepUp = lazy(() => import("./stepup.tsx"));
const Risks = lazy(() => import("./risks.tsx"));
interface Ask {
  what: Asked;
  answer: (done: boolean) => void;
}

/** Waits for a call that asks something of the person first, asks it over the page, and then continues the call. */
export function AskedHost() {
  const [ask, setAsk] = useState<Ask>();
  useEffect(() => {
    let open: { what: Asked; answer: Promise<boolean> } | undefined;
    hooks.ask = async (what) => {
      // Two calls that ask the same at once share one window; another question waits for its turn.
      while (open && open.what !== what) await open.answer;
      open ??= {
        what,
        answer: new Promise<boolean>((answer) => setAsk({ what, answer })).finally(() => {
          open = undefined;
          setAsk(undefined);
        }),
      };
      return open.answer;
    };
    return () => {
      hooks.ask = async () => false;
    };
  }, []);
  if (!ask) return null;
  return <Suspense>{ask.what === "risks" ? <Risks done={ask.answer} /> : <StepUp why={ask.what} done={ask.answer} />}</Suspense>;
}
