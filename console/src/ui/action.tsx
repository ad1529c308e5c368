import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { may } from "../core/queries.ts";
import type { Call } from "../rpc.ts";
import { Button } from "./button.tsx";
import type { Spec, Values } from "./field.tsx";
import { Icon, type IconName } from "./icon.tsx";

const ActionWindow = lazy(() => import("./action-window.tsx"));

export interface ActionProps {
  label: string;
  icon?: IconName;
  kind?: string;
  /** The call whose right the button needs: without it there is no button. */
  call: Pick<Call, "service" | "method">;
  title?: string;
  text?: ReactNode;
  confirm?: string;
  danger?: boolean;
  fields?: readonly Spec[];
  start?: Values;
  done?: string;
  /** Does it. What it throws is shown in the window, and what was typed stays. What it returns is shown in place of the form. */
  run: (v: Values) => Promise<ReactNode | void>;
  /** Names of the calls whose answers are old afterwards; nothing means all. */
  old?: readonly string[];
  wide?: boolean;
  /** Opens the window without the button being pressed. */
  begins?: boolean;
}

/** A button that opens a window with what will happen, asks what is needed, and does it. */
export function Action(p: ActionProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (p.begins && may(p.call)) setOpen(true);
  }, [p.begins]);
  return (
    <>
      {may(p.call) && (
        <Button kind={p.kind ?? ""} onPress={() => setOpen(true)}>
          {p.icon && <Icon name={p.icon} />} {p.label}
        </Button>
      )}
      {open && (
        <Suspense>
          <ActionWindow {...p} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
