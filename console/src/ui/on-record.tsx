import { useProviders } from "../core/outages.ts";
import { ProviderKind as K } from "../gen/markets/v1/provider_pb.ts";
import type { Spec } from "./field.tsx";
import { linesOf } from "./form.tsx";

/** Below a field of names: the providers of a kind that are on record, to be chosen. The name of another one can be typed all the same. */
function OnRecord({ kind, value, set }: { kind: K; value: string; set: (value: string) => void }) {
  const names = (useProviders().data ?? []).flatMap((p) => (p.kind === kind && p.name ? [p.name] : [])).sort();
  const chosen = linesOf(value);
  if (names.length === 0) return null;
  const flip = (name: string) => set((chosen.includes(name) ? chosen.filter((c) => c !== name) : [...chosen, name]).join("\n"));
  return (
    <div className="checks" role="group" aria-label="On record">
      <div>
        {names.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => flip(name)} /> <span>{name}</span>
          </label>
        ))}
      </div>
    </div>
  );
}
export const marketplaces: Spec["pick"] = (value, set) => <OnRecord kind={K.MARKETPLACE} value={value} set={set} />;
export const priceSources: Spec["pick"] = (value, set) => <OnRecord kind={K.PRICE_SOURCE} value={value} set={set} />;
