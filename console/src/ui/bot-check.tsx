import type { ServerInfo } from "../core/server.ts";
import { BotCheckKind as B } from "../gen/accounts/v1/server_info_pb.ts";
import { Notice } from "./state.tsx";

/** The check of servers for development has no widget, and takes this. */
export const TOKEN = "development";
/** Whether this page can pass the server's check: one with a widget is not possible, because the page loads nothing from other hosts. */
export const canPass = (info: ServerInfo): boolean => info.botCheck?.kind === B.DEVELOPMENT;

const WIDGETS: Partial<Record<B, string>> = { [B.TURNSTILE]: "Cloudflare Turnstile", [B.HCAPTCHA]: "hCaptcha" };
export const NoWidget = ({ info }: { info: ServerInfo }) => (
  <Notice>
    {info.botCheck
      ? `This server checks with a widget of ${WIDGETS[info.botCheck.kind ?? 0] ?? "another host"} that you are not a program. The console loads nothing from other hosts, so it cannot show it.`
      : "This needs a check that you are not a program, and the server has none."}
  </Notice>
);
