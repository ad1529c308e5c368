import type { ReactNode } from "react";
import { Copy } from "./copy.tsx";
import { Notice } from "./state.tsx";

/** A secret that the server does not show again, with a button that copies it. */
export const ShownOnce = ({ text, name, children }: { text: string; name: string; children: ReactNode }) => (
  <div className="secret">
    <Notice tone="good" icon="check">
      {children}
    </Notice>
    <code data-testid="secret">{text}</code>
    <div className="row">
      <Copy text={text} label={`Copy ${name}`} />
    </div>
  </div>
);
