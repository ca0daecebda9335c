import type { Advice } from './diagnostic.ts';

/** Edits that lead from one word to the other; two neighbours changed about count as one. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const turned = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2] : undefined;
      const step = Math.min(previous[j] ?? 0, current[j - 1] ?? 0) + 1;
      current.push(Math.min(swap, step, (turned ?? swap) + 1));
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The known name that a mistyped one most probably means, if any is close enough. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 60) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  let tried = 0;
  for (const candidate of known) {
    tried += 1;
    if (tried > 500 || Math.abs(candidate.length - name.length) >= least) continue;
    const apart = distance(name.toLowerCase(), candidate.toLowerCase());
    if (apart < least) {
      least = apart;
      best = candidate;
    }
  }
  return best;
}

/** "Did you mean …?" for a mistyped name, else the given advice. */
export function meant<Otherwise extends string | null>(
  name: string,
  known: Iterable<string>,
  otherwise: Otherwise,
): Advice | Otherwise {
  const close = nearestName(name, known);
  if (close === undefined) return otherwise;
  return { text: `Did you mean "${close}"?`, mend: { change: 'rename', to: close } };
}
