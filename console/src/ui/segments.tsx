import { useEffect, useRef, type KeyboardEvent } from "react";
import { count } from "../core/format.ts";

interface Choice {
  id: string;
  name: string;
  count?: number | undefined;
}
interface Props {
  label: string;
  choices: readonly Choice[];
  chosen: string;
  choose: (id: string) => void;
}
/** One of several, all of them seen. One stop of the tabulator; the arrow keys choose. */
function Group({ className, label, choices, chosen, choose }: Props & { className: string }) {
  const box = useRef<HTMLDivElement>(null);
  // Where there is no room for all of them, the chosen one is brought into view. The page itself stays where it is.
  useEffect(() => {
    const group = box.current;
    const at = group?.querySelector<HTMLElement>('[aria-checked="true"]');
    if (group && at) group.scrollLeft = at.offsetLeft - group.offsetLeft - (group.clientWidth - at.offsetWidth) / 2;
  }, [chosen]);
  const keys = (e: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    const at = (choices.findIndex((c) => c.id === chosen) + step + choices.length) % choices.length;
    choose(choices[at]!.id);
    e.currentTarget.querySelectorAll("button")[at]?.focus();
  };
  const known = choices.some((c) => c.id === chosen);
  return (
    <div ref={box} className={className} role="radiogroup" aria-label={label} onKeyDown={keys}>
      {choices.map((c, i) => (
        <button
          key={c.id}
          type="button"
          role="radio"
          aria-checked={c.id === chosen}
          tabIndex={c.id === chosen || (!known && i === 0) ? 0 : -1}
          onClick={() => choose(c.id)}
        >
          {c.name}
          {c.count !== undefined && <span className="count">{count(c.count)}</span>}
        </button>
      ))}
    </div>
  );
}
export const Segments = (p: Props) => <Group className="segments" {...p} />;
/** Choices with counts; the choice belongs into the address. */
export const Facets = (p: Props) => <Group className="facets" {...p} />;
