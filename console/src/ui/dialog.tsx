import type { ReactNode } from "react";
import { Dialog, Heading } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { unlessTyped } from "../core/leaving.ts";
import { IconButton } from "./button.tsx";
import { useUnsaved } from "./unsaved.tsx";

/** The one window over the page. Escape, the cross and a click outside close it, and ask first where something is typed. Nothing behind it can be
 * reached. */
export default function Window({
  title,
  children,
  close,
  wide,
  locked,
  typed = false,
}: {
  title: string;
  children: ReactNode;
  close: () => void;
  wide?: boolean;
  locked?: boolean;
  typed?: boolean;
}) {
  const question = useUnsaved(typed);
  const dismiss = () => (typed ? unlessTyped(close) : close());
  return (
    <ModalOverlay
      className="veil"
      isOpen
      isDismissable={!locked}
      isKeyboardDismissDisabled={locked ?? false}
      onOpenChange={(open) => {
        if (!open) dismiss();
      }}
    >
      <Modal className={wide ? "window wide" : "window"}>
        <Dialog className="dialog">
          <header>
            <Heading slot="title">{title}</Heading>
            {!locked && <IconButton icon="close" label="Close" onPress={dismiss} />}
          </header>
          {children}
          {question}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
