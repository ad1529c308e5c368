import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";

/**
 * Of a list whose rows have no page of their own: the row whose window is open. An address with `open` names one, as a search does. A row that
 * is opened by hand leaves the address as it is.
 */
export function useOpened(): readonly [id: string, open: (id: string) => void] {
  const [path, go] = useLocation();
  const query = new URLSearchParams(useSearch());
  const named = query.get("open") ?? "";
  const [id, setId] = useState(named);
  useEffect(() => {
    if (named) setId(named);
  }, [named]);
  const open = (next: string) => {
    setId(next);
    if (!named) return;
    query.delete("open");
    const rest = String(query);
    go(rest ? `${path}?${rest}` : path, { replace: true });
  };
  return [id, open];
}

/** Whether the address asks for a new record, as the command bar does. It is taken out of the address at once, so that it can be asked again. */
export function useNew(): boolean {
  const [path, go] = useLocation();
  const isNew = new URLSearchParams(useSearch()).has("new");
  useEffect(() => {
    if (isNew) go(path, { replace: true });
  }, [isNew]);
  return isNew;
}
