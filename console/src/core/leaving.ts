import type { AroundNavHandler } from "wouter";

/** Asks about what is typed on the page and not saved, and goes on if the person says so. Unset where nothing would be lost. */
export const leaving: { ask?: ((go: () => void) => void) | undefined; back?: ((e: PopStateEvent) => void) | undefined } = {};
// Before the router listens: listeners of a window are called in their order, and it would have shown the other page.
addEventListener("popstate", (e) => leaving.back?.(e));
export const unlessTyped = (go: () => void): void => (leaving.ask ? leaving.ask(go) : go());
/** Around every way to another page. The address of the same page may change as it likes. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options);
  if (new URL(to, location.href).pathname === location.pathname) go();
  else unlessTyped(go);
};
