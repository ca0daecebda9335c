const PRICES: Record<string, number> = { gear: 4.2, belt: 9.9 };

/** A step: gets the text, gives back the text for the next one. */
export function tidy(text: string): string {
  return text.trim().toLowerCase();
}

/** A tool: gets the argument object. */
export function price(call: { part: string }): { part: string; euros: number | null } {
  return { part: call.part, euros: PRICES[call.part] ?? null };
}
