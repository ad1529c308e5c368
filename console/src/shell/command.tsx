import { useEffect, useMemo, useRef, useState } from "react";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Dialog } from "react-aria-components/Dialog";
import { useLocation } from "wouter";
import { flipTheme } from "../core/look.ts";
import { show } from "../core/ids.ts";
import { place } from "../core/place.ts";
import { may, useCall } from "../core/queries.ts";
import { search } from "../gen/contracts/v1/search_calls.ts";
import { SearchKind as K, type SearchResult } from "../gen/contracts/v1/search_pb.ts";
import { useRested } from "../ui/rested.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { ALL, allowed } from "./places.ts";

interface Entry {
  id: string;
  name: string;
  note: string;
  icon: IconName;
  act: () => void;
}
const matches = (text: string, name: string) =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((w) => name.toLowerCase().includes(w));

/** What a kind is called, its icon, and the page of one. A name has no record of its own: it opens the items of it. */
const KINDS: Partial<Record<K, [word: string, icon: IconName, path: (r: SearchResult) => string]>> = {
  [K.PURCHASE]: ["purchase", "purchases", (r) => `/purchases/${show(r.id)}`],
  [K.INVENTORY_ITEM]: ["item", "inventory", (r) => `/items/${show(r.id)}`],
  [K.ITEM_NAME]: ["items of this name", "inventory", (r) => `/items?marketHashName=${encodeURIComponent(r.title ?? "")}`],
  [K.CONTRACT]: ["contract", "contracts", (r) => `/contracts/${show(r.id)}`],
  [K.ACCOUNT]: ["account", "accounts", (r) => `/accounts/${show(r.id)}`],
  [K.MEMBERSHIP]: ["member", "members", (r) => `/members?open=${show(r.id)}`],
  [K.API_KEY]: ["API key", "keys", (r) => `/keys?open=${show(r.id)}`],
};

/** What is made on a page of its own, or in the window of one. */
const NEW: readonly [name: string, icon: IconName, path: string, needs: string][] = [
  ["New contract", "contracts", "/contracts/new", "contracts.v1.Contracts/CreateContract"],
  ["New filter set", "filters", "/filters/new", "contracts.v1.Contracts/CreateFilterSet"],
  ["New pool", "pools", "/pools?new", "contracts.v1.Contracts/CreatePool"],
  ["New API key", "keys", "/keys?new", "accounts.v1.Accounts/CreateAPIKey"],
];

/** One box for pages, and for the records that the server finds by an identifier or a part of a name. Arrow keys choose, Enter goes. */
export default function CommandBar({ close }: { close: () => void }) {
  const [, go] = useLocation();
  const [text, setText] = useState("");
  const [active, activate] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const rested = useRested(text.trim());
  const asked = rested.length > 1 && may(search);
  const found = useCall(search, { text: rested.slice(0, 100), limit: 20 }, { enabled: asked });
  const looking = may(search) && text.trim().length > 1 && (rested !== text.trim() || found.isFetching);
  const results = asked && !looking ? found.data?.results : undefined;
  const entries = useMemo(() => {
    const to = (path: string) => () => {
      go(path);
      close();
    };
    const press = (button: string) => () => {
      close();
      setTimeout(() => document.querySelector<HTMLElement>(button)?.click(), 50);
    };
    const out: Entry[] = [];
    const t = text.trim();
    for (const p of ALL)
      if (allowed(p.needs) && matches(t, p.name))
        out.push({ id: p.path, name: p.name, note: p.key ? `g ${p.key}` : "page", icon: p.icon, act: to(p.path) });
    for (const [i, r] of (results ?? []).entries()) {
      const kind = KINDS[r.kind ?? K.UNSPECIFIED];
      if (kind && t.length > 1)
        out.push({
          id: `found${i}`,
          name: r.title ?? "",
          note: [kind[0], r.subtitle].filter(Boolean).join(", "),
          icon: kind[1],
          act: to(kind[2](r)),
        });
    }
    for (const [name, icon, path, needs] of NEW)
      if (allowed(needs) && matches(t, name)) out.push({ id: path, name, note: "new", icon, act: to(path) });
    if (matches(t, "Change between light and dark theme"))
      out.push({
        id: "theme",
        name: "Change between light and dark",
        note: "theme",
        icon: "theme",
        act: () => {
          flipTheme();
          close();
        },
      });
    if (place.operations.has("accounts.v1.Accounts/SetTradingHalt") && matches(t, "Stop everything"))
      out.push({
        id: "stop",
        name: "Stop everything",
        note: "shows what it would do first",
        icon: "cease",
        act: press(".bar .halt + .halt"),
      });
    if (place.operations.has("accounts.v1.Accounts/SetTradingHalt") && matches(t, "Halt trading resume"))
      out.push({
        id: "halt",
        name: "Halt or resume trading",
        note: "asks first",
        icon: "stop",
        act: press(".bar .halt"),
      });
    if (t.length > 1 && !/^\d{4,}$/.test(t))
      for (const [name, note, icon, path, query] of [
        [`Purchases of “${t}”`, "search", "purchases", "/purchases", "q"],
        [`Items like “${t}”`, "search", "inventory", "/items", "q"],
        [`Price of “${t}”`, "whole name", "market", "/market", "name"],
      ] as const)
        if (allowed(ALL.find((p) => p.path === path)?.needs))
          out.push({ id: `for ${path}`, name, note, icon, act: to(`${path}?${query}=${encodeURIComponent(t)}`) });
    return out.slice(0, 40);
  }, [text, results]);
  // It stays at what was chosen when results come in before it.
  const at = Math.max(
    0,
    entries.findIndex((e) => e.id === active),
  );
  useEffect(() => activate(""), [text]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const keys = (e: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) {
      e.preventDefault();
      activate(entries[(at + step + entries.length) % Math.max(1, entries.length)]?.id ?? "");
    }
    if (e.key === "Enter") {
      e.preventDefault();
      entries[at]?.act();
    }
  };
  return (
    <ModalOverlay
      className="veil"
      isOpen
      isDismissable
      onOpenChange={(o) => {
        if (!o) close();
      }}
    >
      <Modal className="window commands">
        <Dialog aria-label="Search or go to" className="bare">
          <input
            autoFocus
            role="combobox"
            aria-label="Search or go to"
            aria-expanded="true"
            aria-controls="commands"
            aria-activedescendant={entries[at] ? `cmd-${at}` : undefined}
            aria-autocomplete="list"
            placeholder="A page, a name, or any id"
            value={text}
            onChange={(e) => setText(e.target.value)}
            onKeyDown={keys}
            spellCheck={false}
          />
          <ul id="commands" role="listbox" aria-label="Found" ref={list}>
            {entries.map((e, i) => (
              <li key={e.id} id={`cmd-${i}`} role="option" aria-selected={i === at} onPointerMove={() => activate(e.id)} onClick={e.act}>
                <Icon name={e.icon} />
                <span className="clip">{e.name}</span>
                <small>{e.note}</small>
              </li>
            ))}
            {(entries.length === 0 || found.isError || looking) && (
              <li role="option" aria-selected="false" className="muted">
                {found.isError ? "The search failed. Only pages are shown." : looking ? "Looking…" : "Nothing is like that."}
              </li>
            )}
          </ul>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
