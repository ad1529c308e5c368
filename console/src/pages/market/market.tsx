import { useState } from "react";
import { useSearchParams } from "wouter";
import { may } from "../../core/queries.ts";
import { listEvaluations } from "../../gen/contracts/v1/evaluation_calls.ts";
import { listWouldBuys } from "../../gen/contracts/v1/would_buy_calls.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Head } from "../../ui/card.tsx";
import { useFilters } from "../../ui/filters.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Suggested, useVariantNames } from "../../ui/names.tsx";
import { Search } from "../../ui/search.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Evaluations } from "../contracts/evaluations.tsx";
import { usePhases } from "./phases.ts";
import { Overrides, PricingRulesCard } from "./rules.tsx";
import { Seen } from "./seen.tsx";
import { Variant } from "./variant.tsx";
import { Variants } from "./variants.tsx";

export default function Market() {
  const [search] = useSearchParams();
  const name = search.get("name");
  return name ? <OfName key={name} name={name} /> : <All />;
}
const VIEWS = [
  { id: "", name: "Variants" },
  { id: "listings", name: "Observed listings" },
  { id: "decisions", name: "Decisions" },
];
/** What narrows the observed listings. */
const NARROWS = ["marketplace", "marketHashName"];
function All() {
  const filters = useFilters(NARROWS);
  const view = filters.of("view");
  return (
    <>
      <Head title="Market" note="What items are worth, and what the marketplaces show.">
        {may(listWouldBuys) && <LinkButton href="/would-buys">Would have bought</LinkButton>}
      </Head>
      <div className="tools">
        <Segments
          label="What is shown"
          choices={VIEWS.filter((v) => v.id !== "decisions" || may(listEvaluations))}
          chosen={view}
          choose={(v) => filters.set("view", v)}
        />
        {!view && <Search label="How the name begins" value={filters.of("q")} change={(q) => filters.set("q", q)} />}
      </div>
      <div className="split">
        {view === "decisions" && may(listEvaluations) ? (
          <Evaluations />
        ) : view ? (
          <Seen filters={filters} />
        ) : (
          <Variants prefix={filters.of("q")} />
        )}
        <div className="stack">
          <PricingRulesCard />
          <Overrides />
        </div>
      </div>
    </>
  );
}
function OfName({ name }: { name: string }) {
  const [search, setSearch] = useSearchParams();
  const given = search.get("phase") ?? "",
    appId = Number(search.get("app") ?? 730) || 730;
  const observed = usePhases(name);
  const phases = [...new Set([...(observed.data ?? []), ...(given ? [given] : [])])].sort();
  // Where every item has a phase, there is nothing to show of the name alone.
  const phase = given || (phases[0] ?? "");
  return (
    <>
      <Head title={name} note={[phase, appId !== 730 && `game ${appId}`].filter(Boolean).join(" · ")} back={["/market", "Market"]}>
        <LookUp />
      </Head>
      {phases.some(Boolean) && (
        <div className="tools">
          <Segments
            label="Phase"
            choices={phases.map((p) => ({ id: p, name: p || "Without a phase" }))}
            chosen={phase}
            choose={(p) => setSearch({ name, phase: p, app: String(appId) })}
          />
        </div>
      )}
      <Variant key={`${appId}${phase}`} name={name} phase={phase} appId={appId} />
    </>
  );
}
/** Any whole name is taken: a price source may know one that was never observed. */
function LookUp() {
  const [search, setSearch] = useSearchParams();
  const [text, setText] = useState(search.get("name") ?? "");
  const names = useVariantNames(text);
  const look = (name: string) => setSearch(name.trim() ? { name: name.trim() } : {});
  return (
    <form
      className="row look"
      onSubmit={(e) => {
        e.preventDefault();
        look(text);
      }}
    >
      <label className="search">
        <span className="vh">Whole name of an item</span>
        <Icon name="search" />
        <input
          type="search"
          list="variants"
          placeholder="Whole name of an item"
          value={text}
          onChange={(e) => {
            setText(e.target.value);
            if (names.includes(e.target.value)) look(e.target.value);
          }}
        />
      </label>
      <Suggested id="variants" names={names} />
      <button className="btn" type="submit">
        Look up
      </button>
    </form>
  );
}
