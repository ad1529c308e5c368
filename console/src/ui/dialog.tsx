import type { ReactNode } from "react";
import { Dialog, Heading } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { IconButton } from "./button.tsx";

/** The one window over the page. Escape and the cross close it; what is behind it cannot be reached. */
export default function Window({
  title,
  children,
  close,
  wide,
  locked,
}: {
  title: string;
  children: ReactNode;
  close: () => void;
  wide?: boolean;
  locked?: boolean;
}) {
  return (
    <ModalOverlay
      className="veil"
      isOpen
      isDismissable={!locked}
      isKeyboardDismissDisabled={locked ?? false}
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Modal className={wide ? "window wide" : "window"}>
        <Dialog className="dialog">
          <header>
            <Heading slot="title">{title}</Heading>
            {!locked && <IconButton icon="close" label="Close" onPress={close} />}
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
