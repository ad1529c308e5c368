import { useId, type ReactNode } from "react";
import { parseBps, parseCents, parseWhole } from "../core/format.ts";
import { place } from "../core/place.ts";

export type Values = Record<string, string>;
export interface Spec {
  name: string;
  label: string;
  kind?:
    | "text"
    | "area"
    | "lines"
    | "money"
    | "percent"
    | "whole"
    | "select"
    | "check"
    | "checks"
    | "time"
    | "clock"
    | "password"
    | "code"
    | "email";
  hint?: ReactNode | ((v: Values) => ReactNode);
  required?: boolean;
  options?: readonly (readonly [value: string, label: string])[];
  suffix?: string;
  placeholder?: string;
  autoComplete?: string;
  wide?: boolean;
  max?: number;
  negative?: boolean;
  when?: (v: Values) => boolean;
  check?: (value: string, v: Values) => string | undefined;
  /** What is chosen from: in place of the options of "checks", or below the text of "lines". */
  pick?: (value: string, set: (value: string) => void) => ReactNode;
}

/** What is wrong with what is typed, or undefined. Said under the field while one types, and again before anything is sent. */
export function problemOf(s: Spec, v: Values): string | undefined {
  const value = (v[s.name] ?? "").trim();
  if (!value) return s.required ? "This is needed." : undefined;
  if (s.kind === "money") {
    const cents = parseCents(value);
    if (cents === undefined) return "Write an amount such as 12.50.";
    if (cents < 0n && !s.negative) return "The amount cannot be negative.";
  }
  if (s.kind === "percent" && parseBps(value) === undefined) return "Write a percentage such as 2.5.";
  if (s.kind === "whole" && parseWhole(value) === undefined) return "Write a whole number.";
  if (s.kind === "email" && !/^\S+@\S+\.\S+$/.test(value)) return "Write an e-mail address.";
  return s.check?.(value, v);
}
/** Whether a field has another value than at first. */
export const isTyped = (fields: readonly Spec[], values: Values, start: Values = {}): boolean =>
  fields.some((f) => (values[f.name] ?? "") !== (start[f.name] ?? ""));
export const firstProblem = (specs: readonly Spec[], v: Values): Spec | undefined =>
  specs.find((s) => (s.when?.(v) ?? true) && problemOf(s, v));

/** The inputs that are no text. */
const TYPES: Partial<Record<NonNullable<Spec["kind"]>, string>> = {
  password: "password",
  email: "email",
  time: "datetime-local",
  clock: "time",
};
interface Props {
  spec: Spec;
  values: Values;
  set: (name: string, value: string) => void;
  show: boolean;
  focus?: boolean;
}
export function Field({ spec: s, values, set, show, focus }: Props) {
  const id = useId();
  const value = values[s.name] ?? "";
  const problem = show || (value && s.kind !== "code") ? problemOf(s, values) : undefined;
  const hint = typeof s.hint === "function" ? s.hint(values) : s.hint;
  const about = [hint ? `${id}h` : "", problem ? `${id}p` : ""].filter(Boolean).join(" ") || undefined;
  const common = {
    id,
    name: s.name,
    value,
    "aria-describedby": about,
    "aria-invalid": problem ? true : undefined,
    "aria-required": s.required || undefined,
    autoFocus: focus,
    placeholder: s.placeholder,
    autoComplete: s.autoComplete ?? "off",
  };
  const on = { onChange: (e: { target: { value: string } }) => set(s.name, e.target.value) };
  const below = (
    <>
      {hint && (
        <p className="hint" id={`${id}h`}>
          {hint}
        </p>
      )}
      {problem && (
        <p className="wrong" id={`${id}p`}>
          {problem}
        </p>
      )}
    </>
  );
  if (s.kind === "check") {
    return (
      <div className="field check wide">
        <label>
          <input
            type="checkbox"
            id={id}
            checked={value === "yes"}
            autoFocus={focus}
            aria-describedby={about}
            onChange={(e) => set(s.name, e.target.checked ? "yes" : "")}
          />{" "}
          <span>{s.label}</span>
        </label>
        {below}
      </div>
    );
  }
  if (s.kind === "checks") {
    const chosen = new Set(value.split("\n").filter(Boolean));
    const flip = (v: string) => {
      if (!chosen.delete(v)) chosen.add(v);
      set(s.name, [...chosen].join("\n"));
    };
    return (
      <fieldset className="field checks wide" aria-describedby={about}>
        <legend>{s.label}</legend>
        <div>
          {s.pick?.(value, (v) => set(s.name, v))}
          {s.options?.map(([v, l]) => (
            <label key={v}>
              <input type="checkbox" checked={chosen.has(v)} onChange={() => flip(v)} /> <span>{l}</span>
            </label>
          ))}
        </div>
        {below}
      </fieldset>
    );
  }
  return (
    <div className={`field ${s.wide || s.kind === "area" || s.kind === "lines" ? "wide" : ""} ${s.kind === "code" ? "code" : ""}`}>
      <label htmlFor={id}>
        {s.label}
        {!s.required && s.kind !== "select" && s.kind !== "code" && <span className="opt">optional</span>}
      </label>
      {s.kind === "select" ? (
        <select {...common} {...on}>
          {s.options?.map(([v, l]) => (
            <option key={v} value={v}>
              {l}
            </option>
          ))}
        </select>
      ) : s.kind === "area" || s.kind === "lines" ? (
        <textarea {...common} {...on} rows={s.kind === "lines" ? 3 : 2} spellCheck={false} maxLength={s.max} />
      ) : (
        <span className="box">
          <input
            {...common}
            {...on}
            maxLength={s.max}
            spellCheck={false}
            type={TYPES[s.kind ?? "text"] ?? "text"}
            inputMode={
              s.kind === "money" || s.kind === "percent" ? "decimal" : s.kind === "whole" || s.kind === "code" ? "numeric" : undefined
            }
          />
          {(s.kind === "money" || s.kind === "percent" || s.suffix) && (
            <span className="unit" aria-hidden="true">
              {s.suffix ?? (s.kind === "money" ? place.currency : "%")}
            </span>
          )}
        </span>
      )}
      {s.kind === "lines" && s.pick?.(value, (v) => set(s.name, v))}
      {below}
    </div>
  );
}

export const Fields = ({
  specs,
  values,
  set,
  show,
  focusFirst,
}: {
  specs: readonly Spec[];
  values: Values;
  set: Props["set"];
  show: boolean;
  focusFirst?: boolean;
}) => (
  <div className="fields">
    {specs
      .filter((s) => s.when?.(values) ?? true)
      .map((s, i) => (
        <Field key={s.name} spec={s} values={values} set={set} show={show} focus={focusFirst === true && i === 0} />
      ))}
  </div>
);
