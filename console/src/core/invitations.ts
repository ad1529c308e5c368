import { useQuery } from "@tanstack/react-query";
import { countMemberships } from "../gen/accounts/v1/membership_calls.ts";
import { MembershipStatus as S } from "../gen/accounts/v1/membership_pb.ts";
import { place } from "./place.ts";

/** How many invitations wait for the answer of the person who is signed in, of all workspaces. */
export const useInvitations = (): number =>
  useQuery({
    queryKey: ["CountMemberships", "mine"],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { counts } = await countMemberships({ userId: place.userId }, { signal, everywhere: true });
      return counts.find((c) => c.status === S.INVITED)?.count ?? 0;
    },
  }).data ?? 0;
