import type { ReactNode } from "react";

interface Choosing {
  label: string;
  value: string;
  none: string;
  choose: (value: string) => void;
  children: ReactNode;
}
/** One of several, or none, in the head of a card. */
export const Choice = ({ label, value, none, choose, children }: Choosing) => (
  <span className="field">
    <select aria-label={label} value={value} onChange={(e) => choose(e.target.value)}>
      <option value="">{none}</option>
      {children}
    </select>
  </span>
);
