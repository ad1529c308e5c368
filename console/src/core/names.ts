import { useQuery } from "@tanstack/react-query";
import { getContracts, listContracts } from "../gen/contracts/v1/contract_calls.ts";
import { getPools, listPools } from "../gen/contracts/v1/pool_calls.ts";
import { show } from "./ids.ts";

/** Names of contracts and pools by id, for the places that have the id only. At most 200 of each; another one is shown by its id. */
export const useContractNames = (enabled = true) =>
  useQuery({
    queryKey: ["GetContracts", "names"],
    staleTime: 60_000,
    enabled,
    queryFn: async ({ signal }) => {
      const { contractIds } = await listContracts({ limit: 200 }, { signal });
      const found = contractIds.length ? (await getContracts({ contractIds }, { signal })).contracts : [];
      return new Map(found.map((c) => [show(c.id), c]));
    },
  });
export const usePoolNames = (enabled = true) =>
  useQuery({
    queryKey: ["GetPools", "names"],
    staleTime: 60_000,
    enabled,
    queryFn: async ({ signal }) => {
      const { poolIds } = await listPools({ limit: 200 }, { signal });
      const found = poolIds.length ? (await getPools({ poolIds }, { signal })).pools : [];
      return new Map(found.map((p) => [show(p.id), p]));
    },
  });
