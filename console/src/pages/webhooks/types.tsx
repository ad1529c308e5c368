import { words } from "../../core/format.ts";
import { useCall } from "../../core/queries.ts";
import { listEventTypes } from "../../gen/events/v1/webhook_endpoint_calls.ts";
import type { EventType } from "../../gen/events/v1/webhook_endpoint_pb.ts";
import type { Spec } from "../../ui/field.tsx";
import { linesOf } from "../../ui/form.tsx";
import { Loaded } from "../../ui/state.tsx";

const MOST = 50;
const kindOf = (type: string) => type.slice(0, type.indexOf("."));

/** The types by the kind of record, in the order of the server. */
function byKind(all: readonly EventType[]): [kind: string, types: readonly EventType[]][] {
  const found = new Map<string, EventType[]>();
  for (const t of all) {
    const kind = kindOf(t.type ?? "");
    found.set(kind, [...(found.get(kind) ?? []), t]);
  }
  return [...found];
}
/** The chosen patterns with another one, or without it. What a wider pattern covers is not kept next to it. */
function flip(chosen: readonly string[], pattern: string): string[] {
  if (chosen.includes(pattern)) return chosen.filter((c) => c !== pattern);
  if (pattern === "*") return ["*"];
  const kind = pattern.endsWith(".*") ? kindOf(pattern) : "";
  return [...chosen.filter((c) => !kind || kindOf(c) !== kind), pattern];
}

interface Props {
  value: string;
  set: (value: string) => void;
}
function Picker({ value, set }: Props) {
  const query = useCall(listEventTypes, {}, { staleTime: Infinity });
  const chosen = linesOf(value);
  const box = (pattern: string, covered: boolean, label: string, note = "") => (
    <label key={pattern}>
      <input
        type="checkbox"
        checked={covered || chosen.includes(pattern)}
        disabled={covered}
        onChange={() => set(flip(chosen, pattern).join("\n"))}
      />{" "}
      <span>
        {label} {note && <span className="mono muted">{note}</span>}
      </span>
    </label>
  );
  const everything = chosen.includes("*");
  return (
    <Loaded query={query} lines={4}>
      {({ eventTypes }) => (
        <div className="kinds">
          {box("*", false, "Everything", "*")}
          {byKind(eventTypes).map(([kind, types]) => {
            const all = `${kind}.*`;
            const some = chosen.filter((c) => kindOf(c) === kind && c !== all).length;
            return (
              <details key={kind}>
                <summary>
                  {words(kind)}
                  <span className="muted">
                    {everything || chosen.includes(all) ? `all ${types.length}` : some > 0 ? `${some} of ${types.length}` : "none"}
                  </span>
                </summary>
                {box(all, everything, "All, also those to come", all)}
                {types.map((t) =>
                  box(t.type ?? "", everything || chosen.includes(all), words((t.type ?? "").slice(kind.length + 1)), t.type),
                )}
              </details>
            );
          })}
        </div>
      )}
    </Loaded>
  );
}
/** The field of the types: everything, all of a kind of record, or single ones. */
export const typesField = (rest: Partial<Spec> = {}): Spec => ({
  name: "types",
  label: "Events",
  kind: "checks",
  required: true,
  check: (v) => (linesOf(v).length > MOST ? `At most ${MOST}: choose all of a kind instead.` : undefined),
  pick: (value, set) => <Picker value={value} set={set} />,
  ...rest,
});
