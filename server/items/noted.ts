import { isObject } from '../kernel/json.ts';
import type { RunRecord } from './run-record.ts';

/** What steps noted with the run so far: texts by name, in what those steps keep. */
export function notedIn(record: RunRecord): Record<string, string> {
  const noted = [...record.values()]
    .flat()
    .flatMap(({ context }) => (isObject(context?.['noted']) ? [context['noted']] : []));
  return Object.fromEntries(
    noted.flatMap((one) =>
      Object.entries(one).map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    ),
  );
}
