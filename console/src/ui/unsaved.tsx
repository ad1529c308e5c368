import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { keep } from "../core/leaving.ts";
import { Button } from "./button.tsx";

const Window = lazy(() => import("./dialog.tsx"));

/** While something is typed and not saved, every way to another page asks first. What it returns is that question. */
export function useUnsaved(typed: boolean): ReactNode {
  const [go, setGo] = useState<() => void>();
  const left = useRef(false);
  const release = useRef(() => {});
  useEffect(() => {
    if (!typed) return;
    const here = location.href;
    const ask = (then: () => void) => setGo(() => then);
    const unload = (e: BeforeUnloadEvent) => e.preventDefault();
    // The browser is at another page already: this one is put in front of it again, and left if the person says so.
    const back = (e: PopStateEvent) => {
      if (left.current || location.pathname === new URL(here).pathname) return;
      e.stopImmediatePropagation();
      history.pushState(null, "", here);
      ask(() => history.back());
    };
    release.current = keep({ ask, back });
    addEventListener("beforeunload", unload);
    return () => {
      release.current();
      removeEventListener("beforeunload", unload);
    };
  }, [typed]);
  const stay = () => setGo(undefined);
  return (
    go && (
      <Suspense>
        <Window title="Leave without saving?" close={stay}>
          <p>What you typed is not saved, and would be lost.</p>
          <footer>
            <Button onPress={stay}>Stay here</Button>
            <Button
              kind="primary bad"
              onPress={() => {
                stay();
                left.current = true;
                release.current();
                go();
              }}
            >
              Leave
            </Button>
          </footer>
        </Window>
      </Suspense>
    )
  );
}
