import { useEffect } from "react";
import { useLocation } from "wouter";
import { ALL } from "./places.ts";

const typing = (t: EventTarget | null) =>
  t instanceof HTMLElement && (t.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(t.tagName));

/** Ctrl-K opens the command bar; g and a letter goes to a page; / goes to the search field. Nothing happens while one types. */
export function useKeys(open: (what: "commands") => void): void {
  const [, go] = useLocation();
  useEffect(() => {
    let g = 0;
    const down = (e: KeyboardEvent) => {
      if (document.querySelector(".over")) return;
      if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k") {
        e.preventDefault();
        open("commands");
        return;
      }
      if (typing(e.target) || e.ctrlKey || e.metaKey || e.altKey || document.querySelector(".veil")) return;
      if (e.key === "/") {
        e.preventDefault();
        (document.querySelector<HTMLElement>("main input[type=search]") ?? document.querySelector<HTMLElement>(".finder"))?.focus();
        return;
      }
      if (e.key === "?") {
        e.preventDefault();
        open("commands");
        return;
      }
      if (e.key === "g") {
        g = e.timeStamp;
        return;
      }
      const to = e.timeStamp - g < 1200 ? ALL.find((p) => p.key === e.key) : undefined;
      if (to) {
        e.preventDefault();
        go(to.path);
      }
      g = 0;
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, [go, open]);
}
