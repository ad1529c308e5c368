import { useEffect, useState } from "react";

/** What is typed, once the hand rests: a call is made for that, and not for each letter. */
export function useRested(text: string): string {
  const [rested, rest] = useState(text);
  useEffect(() => {
    const t = setTimeout(() => rest(text), 200);
    return () => clearTimeout(t);
  }, [text]);
  return rested;
}
