import { useId, useState, type KeyboardEvent } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { may } from "../core/queries.ts";
import { listVariants } from "../gen/markets/v1/observation_calls.ts";
import { useRested } from "./rested.ts";

/** Market names that begin with what is typed. They are suggestions: where they cannot be asked, any text is still taken. */
export function useVariantNames(text: string): readonly string[] {
  const prefix = useRested(text.trimStart()).slice(0, 100);
  const query = useQuery({
    queryKey: ["ListVariants", prefix],
    staleTime: 60_000,
    enabled: may(listVariants),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await listVariants({ prefix, limit: 20 }, { signal })).marketHashNames,
  });
  return query.data ?? [];
}
export const Suggested = ({ id, names }: { id: string; names: readonly string[] }) => (
  <datalist id={id}>
    {names.map((n) => (
      <option key={n} value={n} />
    ))}
  </datalist>
);

/** Below a field of lines: a name is typed with suggestions, and Enter or the choice of one makes it a line of the field. */
export function AddName({ value, set }: { value: string; set: (value: string) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const names = useVariantNames(text);
  const add = (name: string) => {
    const lines = value.split("\n").filter((l) => l.trim());
    if (name.trim()) set([...lines.filter((l) => l.trim() !== name.trim()), name.trim()].join("\n"));
    setText("");
  };
  const keys = (e: KeyboardEvent) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    add(text);
  };
  // A suggestion that is chosen comes as one change without a letter; a name that is typed to its end waits for Enter.
  const change = (e: { target: { value: string }; nativeEvent: Event }) => {
    const typed = "inputType" in e.nativeEvent && e.nativeEvent.inputType !== "insertReplacementText";
    if (!typed && names.includes(e.target.value)) add(e.target.value);
    else setText(e.target.value);
  };
  return (
    <>
      <input
        aria-label="Add a name"
        placeholder="Type a name, Enter adds it"
        list={id}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onKeyDown={keys}
        onChange={change}
      />
      <Suggested id={id} names={names} />
    </>
  );
}
