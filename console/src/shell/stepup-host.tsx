import { lazy, Suspense, useEffect, useState } from "react";
import { hooks } from "../core/transport.ts";

const StepUp = lazy(() => import("./stepup.tsx"));
interface Ask {
  why: "step-up" | "password";
  answer: (confirmed: boolean) => void;
}

/** Waits for a call that needs the second factor, asks for it over the page, and lets the call go on. */
export function StepUpHost() {
  const [ask, setAsk] = useState<Ask>();
  useEffect(() => {
    let running: Promise<boolean> | undefined;
    // Two calls that ask at once share one window.
    hooks.confirm = (why) =>
      (running ??= new Promise<boolean>((answer) => setAsk({ why, answer })).finally(() => {
        running = undefined;
        setAsk(undefined);
      }));
    return () => {
      hooks.confirm = async () => false;
    };
  }, []);
  return ask ? (
    <Suspense>
      <StepUp why={ask.why} done={ask.answer} />
    </Suspense>
  ) : null;
}
