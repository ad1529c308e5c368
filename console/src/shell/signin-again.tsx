import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import SignIn from "./signin.tsx";

/** Signing in over the page that was shown when the session ended: what was typed there stays. */
export default function SignInAgain({ done }: { done: () => Promise<void> }) {
  return (
    <ModalOverlay className="veil over" isOpen isKeyboardDismissDisabled>
      <Modal>
        <Dialog aria-label="Sign in">
          <SignIn note="Your session has ended. Sign in again: the page is as you left it." done={done} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
