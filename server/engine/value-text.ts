import type { Json } from '../kernel/json.ts';

/** The text of what a function or tool returned: text as it is, nothing as "", the rest as JSON. */
export function valueText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
