import { useEffect, useMemo, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Dialog } from "react-aria-components/Dialog";
import { useLocation } from "wouter";
import { flipTheme } from "../core/look.ts";
import { show } from "../core/ids.ts";
import { useContractNames } from "../core/names.ts";
import { place } from "../core/place.ts";
import { may, queries } from "../core/queries.ts";
import { findInventoryItemByAssetID } from "../gen/contracts/v1/inventory_item_calls.ts";
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

/** One box for pages, contracts, items that are loaded, and any asset id. Arrow keys choose, Enter goes. */
export default function CommandBar({ close }: { close: () => void }) {
  const [, go] = useLocation();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const contracts = useContractNames(place.operations.has("contracts.v1.Contracts/ListContracts"));
  const asset = /^\d{4,20}$/.test(text.trim());
  const found = useQuery({
    queryKey: ["FindInventoryItemByAssetID", text.trim()],
    enabled: asset && may(findInventoryItemByAssetID),
    retry: false,
    staleTime: 30_000,
    queryFn: ({ signal }) => findInventoryItemByAssetID({ assetId: text.trim() }, { signal }),
  });
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
    if (found.data?.inventoryItemId)
      out.push({
        id: "asset",
        name: `Item with asset id ${t}`,
        note: `step ${found.data.step} of its chain`,
        icon: "inventory",
        act: to(`/items/${show(found.data.inventoryItemId)}`),
      });
    for (const p of ALL)
      if (allowed(p.needs) && matches(t, p.name))
        out.push({ id: p.path, name: p.name, note: p.key ? `g ${p.key}` : "page", icon: p.icon, act: to(p.path) });
    if (t.length > 1)
      for (const [id, c] of contracts.data ?? [])
        if (matches(t, c.name ?? ""))
          out.push({ id: `c${id}`, name: c.name ?? "", note: "contract", icon: "contracts", act: to(`/contracts/${id}`) });
    if (t.length > 1) for (const i of loaded(t)) out.push({ ...i, act: to(i.path) });
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
    if (t.length > 1 && !asset) {
      out.push(
        { id: "sp", name: `Purchases of “${t}”`, note: "search", icon: "purchases", act: to(`/purchases?q=${encodeURIComponent(t)}`) },
        { id: "si", name: `Items like “${t}”`, note: "search", icon: "inventory", act: to(`/items?q=${encodeURIComponent(t)}`) },
        { id: "sm", name: `Price of “${t}”`, note: "whole name", icon: "market", act: to(`/market?name=${encodeURIComponent(t)}`) },
      );
    }
    return out.slice(0, 40);
  }, [text, found.data, contracts.data]);
  useEffect(() => setAt(0), [text]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const keys = (e: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step) {
      e.preventDefault();
      setAt((a) => (a + step + entries.length) % Math.max(1, entries.length));
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
            placeholder="A page, a contract, an item, an asset id"
            value={text}
            onChange={(e) => setText(e.target.value)}
            onKeyDown={keys}
            spellCheck={false}
          />
          <ul id="commands" role="listbox" aria-label="Found" ref={list}>
            {entries.map((e, i) => (
              <li key={e.id} id={`cmd-${i}`} role="option" aria-selected={i === at} onPointerMove={() => setAt(i)} onClick={e.act}>
                <Icon name={e.icon} />
                <span className="clip">{e.name}</span>
                <small>{e.note}</small>
              </li>
            ))}
            {entries.length === 0 && (
              <li role="option" aria-selected="false" className="muted">
                {asset && found.isFetching ? "Looking…" : "Nothing is like that."}
              </li>
            )}
          </ul>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
/** Items and purchases of the lists that were shown: no call is made for them. */
function loaded(text: string): (Omit<Entry, "act"> & { path: string })[] {
  const out: (Omit<Entry, "act"> & { path: string })[] = [];
  for (const [name, path, icon, note] of [
    ["ListInventoryItems", "/items/", "inventory", "item"],
    ["ListPurchases", "/purchases/", "purchases", "purchase"],
  ] as const) {
    const rows = queries
      .getQueriesData<{ pages?: { rows?: { id?: Uint8Array; marketHashName?: string }[] }[] }>({ queryKey: [name] })
      .flatMap(([, d]) => d?.pages?.flatMap((p) => p.rows ?? []) ?? []);
    for (const r of rows)
      if (matches(text, r.marketHashName ?? "") && out.length < 12)
        out.push({ id: path + show(r.id), path: path + show(r.id), name: r.marketHashName ?? "", note, icon });
  }
  return [...new Map(out.map((e) => [e.id, e])).values()];
}
