import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Copy, save } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/state.tsx";

/** The codes, once, with copy and download, and a box that says that they are stored. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const [stored, setStored] = useState(false);
  const text = codes.join("\n");
  return (
    <div className="secret">
      <Notice tone="good" icon="check">
        Store these codes where you find them without your telephone. They are shown this once.
      </Notice>
      <ol className="codes" data-testid="codes">
        {codes.map((c) => (
          <li key={c}>{c}</li>
        ))}
      </ol>
      <div className="row">
        <Copy text={text} label="Copy all" />
        <Button onPress={() => save("tradepost-recovery-codes.txt", text, "text/plain")}>
          <Icon name="down" /> Download
        </Button>
      </div>
      <label className="row">
        <input type="checkbox" checked={stored} onChange={(e) => setStored(e.target.checked)} /> <span>I have stored them</span>
      </label>
    </div>
  );
}
