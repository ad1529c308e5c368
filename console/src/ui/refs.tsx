import { Link } from "wouter";
import { show } from "../core/ids.ts";
import { useSubjectNames } from "../core/subject-names.ts";
import { TransitionSubjectType as T } from "../gen/contracts/v1/transition_pb.ts";

/** The name of a contract or a pool with a way to its page. */
export function ContractLink({ id }: { id: Uint8Array | undefined }) {
  const names = useSubjectNames([{ subjectType: T.CONTRACT, subjectId: id }]);
  return id?.length ? <Link href={`/contracts/${show(id)}`}>{names.get(show(id))?.name ?? show(id).slice(-8)}</Link> : <>–</>;
}
export function PoolLink({ id }: { id: Uint8Array | undefined }) {
  const names = useSubjectNames([{ subjectType: T.POOL, subjectId: id }]);
  return id?.length ? <Link href={`/pools/${show(id)}`}>{names.get(show(id))?.name ?? show(id).slice(-8)}</Link> : <>–</>;
}
export const Ref = ({ to, id, name }: { to: string; id: Uint8Array | undefined; name: string }) =>
  id?.length ? <Link href={`${to}/${show(id)}`}>{name}</Link> : <>–</>;
