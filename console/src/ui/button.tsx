import type { AriaAttributes, ReactNode } from "react";
import { Link } from "wouter";
import { Icon, type IconName } from "./icon.tsx";

interface Props extends AriaAttributes {
  kind?: string;
  onPress?: () => unknown;
  isDisabled?: boolean;
  isPending?: boolean;
  type?: "button" | "submit";
  title?: string;
  children?: ReactNode;
}
/** `kind`: primary (one a page), quiet, icon, danger. While it is pending it keeps its width and its focus, and does nothing. */
export const Button = ({ kind = "", onPress, isDisabled, isPending, type = "button", children, ...aria }: Props) => (
  <button
    {...aria}
    type={type}
    className={`btn ${kind}`}
    disabled={isDisabled}
    aria-disabled={isPending || undefined}
    onClick={isPending ? (e) => e.preventDefault() : onPress && (() => void onPress())}
  >
    {children}
  </button>
);

export const IconButton = ({ icon, label, ...props }: Props & { icon: IconName; label: string }) => (
  <Button {...props} kind="quiet icon" aria-label={label} title={label}>
    <Icon name={icon} />
  </Button>
);

export const LinkButton = ({ href, kind = "", children }: { href: string; kind?: string; children: ReactNode }) => (
  <Link href={href} className={`btn ${kind}`}>
    {children}
  </Link>
);
