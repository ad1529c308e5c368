import { useQuery } from "@tanstack/react-query";
import { may } from "../../core/queries.ts";
import { wholeList } from "../../core/whole.ts";
import { getMemberships, listMemberships } from "../../gen/accounts/v1/membership_calls.ts";
import { MembershipStatus } from "../../gen/accounts/v1/membership_pb.ts";
import { getUsers } from "../../gen/accounts/v1/user_calls.ts";

/** The people whose membership is in a status, or in any. A problem can be given to those who have accepted. */
export const useMembers = (status = MembershipStatus.ACCEPTED) =>
  useQuery({
    queryKey: ["GetUsers", "members", status],
    staleTime: 300_000,
    enabled: may(listMemberships) && may(getUsers),
    queryFn: async ({ signal }) => {
      const usersOf = async (membershipIds: Uint8Array[]) => {
        const found = (await getMemberships({ membershipIds }, { signal })).memberships;
        const userIds = found.flatMap((m) => (m.userId?.length ? [m.userId] : []));
        return userIds.length ? (await getUsers({ userIds }, { signal })).users : [];
      };
      return wholeList(async (asked) => {
        const a = await listMemberships({ status, ...asked }, { signal });
        return { ids: a.membershipIds, next: a.nextCursor };
      }, usersOf);
    },
  });
