/**
 * A line of values as plain JSON: lists of at most a hundred, so that a change copies about the
 * square root of what stands in it and shares the rest.
 */
export type Deque<T> = readonly (readonly T[])[];

const LONGEST_PART = 100;

export const EMPTY: Deque<never> = [];

export function withFirst<T>(line: Deque<T>, value: T): Deque<T> {
  const [first = [], ...rest] = line;
  return first.length < LONGEST_PART ? [[value, ...first], ...rest] : [[value], ...line];
}

export function withLast<T>(line: Deque<T>, value: T): Deque<T> {
  const last = line.at(-1) ?? [];
  return last.length < LONGEST_PART ? [...line.slice(0, -1), [...last, value]] : [...line, [value]];
}

/** The first value and what stands behind it; undefined when the line is empty. */
export function takeFirst<T>(line: Deque<T>): { first: T; rest: Deque<T> } | undefined {
  const [part = [], ...parts] = line;
  const [first, ...others] = part;
  if (first === undefined) return undefined;
  return { first, rest: others.length === 0 ? parts : [others, ...parts] };
}
