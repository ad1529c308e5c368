import { Link } from "wouter";
import { Button } from "../ui/button.tsx";
import Window from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { allowed, PLACES } from "./places.ts";

/** All pages, on a telephone. */
export default function AllPages({ close, code }: { close: () => void; code: () => void }) {
  return (
    <Window title="Pages" close={close}>
      <div className="allpages">
        {PLACES.map(([title, places]) => (
          <nav key={title} className="nav" aria-label={title}>
            <h3>{title}</h3>
            {places
              .filter((p) => allowed(p.needs))
              .map((p) => (
                <Link key={p.path} href={p.path} onClick={close}>
                  <Icon name={p.icon} /> <span>{p.name}</span>
                </Link>
              ))}
          </nav>
        ))}
        <Button onPress={code}>
          <Icon name="code" /> Copy the calls of this page
        </Button>
      </div>
    </Window>
  );
}
