import { useQuery } from "@tanstack/react-query";

/** What a page has to know of its server before anyone is signed in. */
export interface ServerInfo {
  version?: string;
  isDemo?: boolean;
  publicUrl?: string;
  passkeysAvailable?: boolean;
  passkeyOrigins?: string[];
}

/** Asks the server about itself. One of an earlier version has no such operation: then nothing is known, and everything is offered. */
export const useServerInfo = (): ServerInfo =>
  useQuery({
    queryKey: ["GetServerInfo"],
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }): Promise<ServerInfo> => {
      const answer = await fetch("/accounts.v1.Accounts/GetServerInfo", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
        signal,
      });
      return answer.ok ? ((await answer.json()) as ServerInfo) : {};
    },
  }).data ?? {};

/** Passkeys belong to an address: at another one the browser refuses them. */
export const passkeysHere = (info: ServerInfo): boolean =>
  info.passkeysAvailable !== false && (!info.passkeyOrigins?.length || info.passkeyOrigins.includes(location.origin));
