import { useQuery } from "@tanstack/react-query";
import { getServerInfo } from "../gen/accounts/v1/server_info_calls.ts";
import type { GetServerInfoResponse } from "../gen/accounts/v1/server_info_pb.ts";

/** What a page has to know of its server before anyone is signed in. */
export type ServerInfo = Partial<GetServerInfoResponse>;

/** Asks the server about itself, once. */
export const useServerInfo = (): ServerInfo =>
  useQuery({ queryKey: ["GetServerInfo"], staleTime: Infinity, queryFn: ({ signal }) => getServerInfo({}, { signal }) }).data ?? {};

/** Passkeys belong to an address: at another one the browser refuses them. */
export const passkeysHere = (info: ServerInfo): boolean =>
  info.passkeysAvailable !== false && (!info.passkeyOrigins?.length || info.passkeyOrigins.includes(location.origin));
