import { Named } from "../../ui/card.tsx";

/** The phase is whole where the name has to be cut: it is what distinguishes two variants. */
export const VariantName = ({ name, phase }: { name: string | undefined; phase: string | undefined }) => (
  <>
    <Named name={name} />
    {phase && <span className="num muted">{phase}</span>}
  </>
);
