import { useState } from "react";
import { toJsonString } from "@bufbuild/protobuf";
import { count, iso, when } from "../../core/format.ts";
import { useCall, type Page } from "../../core/queries.ts";
import { someAtOnce } from "../../core/whole.ts";
import { getFilterSet } from "../../gen/contracts/v1/filter_set_calls.ts";
import { FilterRulesSchema, type FilterSet } from "../../gen/contracts/v1/filter_set_pb.ts";
import { Card, Facts } from "../../ui/card.tsx";
import { Choice } from "../../ui/choice.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Loaded } from "../../ui/state.tsx";
import { inWords } from "./rules.ts";

const SHOWN = 200;
const PAGE = 20;
const FILE = [
  { head: "Version", text: (f: FilterSet) => String(f.version ?? "") },
  { head: "Name", text: (f: FilterSet) => f.name ?? "" },
  { head: "Lets through", text: (f: FilterSet) => inWords(f.rules) },
  { head: "Rules", text: (f: FilterSet) => (f.rules ? toJsonString(FilterRulesSchema, f.rules) : "") },
  { head: "Made", text: (f: FilterSet) => iso(f.updatedAt) },
];
const versionOf = async (f: FilterSet, version: number, signal: AbortSignal) =>
  (await getFilterSet({ filterSetId: f.id!, version: BigInt(version) }, { signal })).filterSet;
/** All versions as a list whose pages are asked for when a file is made; the cursor is the newest version of a page. */
const allOf = (f: FilterSet, now: number) => ({
  rows: [f],
  complete: false,
  cut: false,
  page: async (cursor: string, signal: AbortSignal): Promise<Page<FilterSet>> => {
    const newest = cursor ? Number(cursor) : now;
    const numbers = Array.from({ length: Math.min(PAGE, newest) }, (_, i) => newest - i);
    const found = await someAtOnce(numbers, (n) => versionOf(f, n, signal));
    return { rows: found.filter((v) => v !== undefined), next: newest > PAGE ? String(newest - PAGE) : "" };
  },
});
/** What the filter set let through before: each change keeps the version that it replaced. */
export function Versions({ f }: { f: FilterSet }) {
  const now = Number(f.version ?? 1n);
  const [chosen, choose] = useState("");
  const before = Array.from({ length: Math.min(SHOWN, now - 1) }, (_, i) => now - 1 - i);
  if (before.length === 0) return null;
  return (
    <Card
      title="Earlier versions"
      note={now - 1 > SHOWN ? `The newest ${count(SHOWN)} of ${count(now - 1)} can be chosen; the file has all` : undefined}
      extra={
        <>
          <SaveRows name={`versions-${f.name ?? ""}`} columns={FILE} of={allOf(f, now)} />
          <Choice label="Version" value={chosen} none="None" choose={choose}>
            {before.map((v) => (
              <option key={v} value={v}>
                Version {v}
              </option>
            ))}
          </Choice>
        </>
      }
    >
      {chosen ? <Version key={chosen} f={f} version={BigInt(chosen)} /> : <p className="muted">Choose one to see what it let through.</p>}
    </Card>
  );
}
function Version({ f, version }: { f: FilterSet; version: bigint }) {
  const query = useCall(getFilterSet, { filterSetId: f.id!, version }, { staleTime: Infinity });
  return (
    <Loaded query={query}>
      {({ filterSet: old }) => (
        <Facts
          of={[
            ["Name", old?.name],
            ["Lets through", inWords(old?.rules)],
            ["Made", when(old?.updatedAt)],
          ]}
        />
      )}
    </Loaded>
  );
}
