import { Link } from "wouter";
import { show } from "../core/ids.ts";
import { useContractNames, usePoolNames } from "../core/names.ts";

/** The name of a contract or a pool with a way to its page. */
export function ContractLink({ id }: { id: Uint8Array | undefined }) {
  const names = useContractNames(Boolean(id?.length));
  return id?.length ? <Link href={`/contracts/${show(id)}`}>{names.data?.get(show(id))?.name ?? show(id).slice(-8)}</Link> : <>–</>;
}
export function PoolLink({ id }: { id: Uint8Array | undefined }) {
  const names = usePoolNames(Boolean(id?.length));
  return id?.length ? <Link href={`/pools/${show(id)}`}>{names.data?.get(show(id))?.name ?? show(id).slice(-8)}</Link> : <>–</>;
}
export const Ref = ({ to, id, name }: { to: string; id: Uint8Array | undefined; name: string }) =>
  id?.length ? <Link href={`${to}/${show(id)}`}>{name}</Link> : <>–</>;
