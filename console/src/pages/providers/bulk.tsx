import { disableProvider, enableProvider } from "../../gen/markets/v1/provider_calls.ts";
import type { Provider } from "../../gen/markets/v1/provider_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";

const old = ["GetProvider", "GetProviders", "ListProviders"];
const rest = (p: Provider) => ({ providerId: p.id!, expectedVersion: p.version });
export const BULK: readonly BulkAction<Provider>[] = [
  {
    label: "Enable",
    call: enableProvider,
    can: (p) => !p.enabled,
    text: <p>Contracts and prices use them again.</p>,
    run: (p, _v, key) => enableProvider(rest(p), { key }),
    old,
  },
  {
    label: "Disable",
    danger: true,
    call: disableProvider,
    can: (p) => p.enabled ?? false,
    text: <p>Nothing new is started there. What is open is followed to its end.</p>,
    fields: [{ name: "reason", label: "Reason", wide: true, max: 200 }],
    run: (p, v, key) => disableProvider({ ...rest(p), ...(v.reason ? { reason: v.reason } : {}) }, { key }),
    old,
  },
];
