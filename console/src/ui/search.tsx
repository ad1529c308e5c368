import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";

/** A search field that says what is typed once the hand rests. */
export function Search({ label, value, change }: { label: string; value: string; change: (text: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const t = setTimeout(() => change(text), 250);
    return () => clearTimeout(t);
  }, [text]);
  return (
    <label className="search">
      <span className="vh">{label}</span>
      <Icon name="search" />
      <input type="search" placeholder={label} value={text} onChange={(e) => setText(e.target.value)} />
    </label>
  );
}
