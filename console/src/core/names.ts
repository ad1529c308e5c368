import { useQuery } from "@tanstack/react-query";
import { getContracts, listContracts } from "../gen/contracts/v1/contract_calls.ts";
import { getPools, listPools } from "../gen/contracts/v1/pool_calls.ts";
import { show } from "./ids.ts";
import { wholeList } from "./whole.ts";

/** Contracts and pools by id, for the places that choose among them or name many by their ids. */
export const useContractNames = (enabled = true) =>
  useQuery({
    queryKey: ["GetContracts", "names"],
    staleTime: 60_000,
    enabled,
    queryFn: async ({ signal }) => {
      const found = await wholeList(
        async (asked) => {
          const a = await listContracts(asked, { signal });
          return { ids: a.contractIds, next: a.nextCursor };
        },
        async (contractIds) => (await getContracts({ contractIds }, { signal })).contracts,
      );
      return new Map(found.map((c) => [show(c.id), c]));
    },
  });
export const usePoolNames = (enabled = true) =>
  useQuery({
    queryKey: ["GetPools", "names"],
    staleTime: 60_000,
    enabled,
    queryFn: async ({ signal }) => {
      const found = await wholeList(
        async (asked) => {
          const a = await listPools(asked, { signal });
          return { ids: a.poolIds, next: a.nextCursor };
        },
        async (poolIds) => (await getPools({ poolIds }, { signal })).pools,
      );
      return new Map(found.map((p) => [show(p.id), p]));
    },
  });
