import { isObject } from '../kernel/json.ts';

/** A statement with PostgreSQL's numbered places, and how values come to stand in them. */
export interface Placed {
  readonly sql: string;
  valuesOf(args: readonly unknown[]): readonly unknown[];
}

/** Texts and names in quotes, where nothing is a place, then the places themselves. */
const PARTS = /'(?:[^']|'')*'|"[^"]*"|\?|@([a-z_]+)\b/g;

/** Numbers the places of a statement that was written with `?`, or with `@name`. */
export function placed(sql: string): Placed {
  const names: string[] = [];
  let count = 0;
  const text = sql.replaceAll(PARTS, (whole, name: string | undefined) => {
    if (name !== undefined) {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    }
    if (whole !== '?') return whole;
    count += 1;
    return `$${count}`;
  });
  const named = ([values]: readonly unknown[]): unknown[] =>
    names.map((name) => (isObject(values) ? values[name] : undefined));
  return { sql: text, valuesOf: names.length === 0 ? (args) => args : named };
}
