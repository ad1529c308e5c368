import type { AroundNavHandler } from "wouter";

/** Something that was typed and not saved. */
interface Unsaved {
  /** Asks, and goes on if the person says so. */
  ask: (go: () => void) => void;
  /** Takes a step of the browser back. */
  back: (e: PopStateEvent) => void;
}
/** The window is behind its page: it is asked about first. */
const unsaved: Unsaved[] = [];
/** Until the returned function is called, every way to another page asks first. */
export const keep = (it: Unsaved): (() => void) => {
  unsaved.push(it);
  return () => {
    const at = unsaved.indexOf(it);
    if (at >= 0) unsaved.splice(at, 1);
  };
};
/** Called before the router listens: listeners of a window are called in their order, and it would have shown the other page. */
export const watchBack = (): void => addEventListener("popstate", (e) => unsaved.at(-1)?.back(e));
export const unlessTyped = (go: () => void): void => {
  const last = unsaved.at(-1);
  if (last) last.ask(go);
  else go();
};
/** Around every way to another page. The address of the same page may change as it likes. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options);
  if (new URL(to, location.href).pathname === location.pathname) go();
  else unlessTyped(go);
};
