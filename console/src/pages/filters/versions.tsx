import { useState } from "react";
import { when } from "../../core/format.ts";
import { useCall } from "../../core/queries.ts";
import { getFilterSet } from "../../gen/contracts/v1/filter_set_calls.ts";
import type { FilterSet } from "../../gen/contracts/v1/filter_set_pb.ts";
import { Card, Facts } from "../../ui/card.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Loaded } from "../../ui/state.tsx";
import { inWords } from "./rules.ts";

const SHOWN = 200;
/** What the filter set let through before: each change keeps the version that it replaced. */
export function Versions({ f }: { f: FilterSet }) {
  const now = Number(f.version ?? 1n);
  const [chosen, choose] = useState("");
  const before = Array.from({ length: Math.min(SHOWN, now - 1) }, (_, i) => now - 1 - i);
  if (before.length === 0) return null;
  return (
    <Card
      title="Earlier versions"
      extra={
        <Choice label="Version" value={chosen} none="None" choose={choose}>
          {before.map((v) => (
            <option key={v} value={v}>
              Version {v}
            </option>
          ))}
        </Choice>
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
