interface Named {
  marketHashName?: string | undefined;
  phase?: string | undefined;
  appId?: number | undefined;
}
export const nameOf = (v: Named | undefined): string => [v?.marketHashName, v?.phase].filter(Boolean).join(" · ");
export const hrefOf = (v: Named | undefined): string =>
  `/market?${new URLSearchParams({ name: v?.marketHashName ?? "", ...(v?.phase ? { phase: v.phase } : {}), app: String(v?.appId || 730) })}`;
