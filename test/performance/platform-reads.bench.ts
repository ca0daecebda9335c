import type { Headless } from '../e2e/support/headless.ts';
import { type Figure, measure, milliseconds } from './harness.ts';
import { get } from './platform-http.ts';
import { tracedRun } from './traced-run.ts';

const SUITE = 'platform';
const DAY_MS = 86_400_000;

/** Filters and sorts that the contract names. */
export const LISTS: readonly (readonly [name: string, query: string])[] = [
  ['newest', ''],
  ['status', 'status=failed'],
  ['workflow_kind', 'workflow_kind=agent'],
  ['workflow_name', 'workflow_name=review'],
  ['session_id', 'session_id=session-7'],
  ['has_error', 'has_error=true'],
  ['status and kind', 'status=completed&workflow_kind=workflow'],
  ['created_after', `created_after=${new Date(Date.now() - 30 * DAY_MS).toISOString()}`],
  ['created_before', `created_before=${new Date(Date.now() - 60 * DAY_MS).toISOString()}`],
  ['created_before, recent', `created_before=${new Date(Date.now() - DAY_MS).toISOString()}`],
  [
    'status, between two moments',
    `status=completed&created_after=${new Date(Date.now() - 40 * DAY_MS).toISOString()}&created_before=${new Date(Date.now() - 20 * DAY_MS).toISOString()}`,
  ],
  ['status blocked', 'status=blocked'],
  ['sort created_at', 'sort_by=created_at&sort_order=asc'],
  ['sort started_at', 'sort_by=started_at&sort_order=asc'],
  [
    'status and kind, sort created_at',
    'status=completed&workflow_kind=workflow&sort_by=created_at',
  ],
  ['sort completed_at', 'sort_by=completed_at&sort_order=asc'],
  ['sort workflow_name', 'sort_by=workflow_name'],
  ['sort metadata.duration_ms', 'sort_by=metadata.duration_ms'],
  ['sort metadata.usage.total_tokens', 'sort_by=metadata.usage.total_tokens'],
  ['status, sort metadata.duration_ms', 'status=failed&sort_by=metadata.duration_ms'],
  ['last page of the window', 'offset=9900'],
];

/** Rare, of two letters, common, a phrase, a common one with a filter, none. */
const TEXTS = [
  'q=no%2054321',
  'q=in',
  'q=invoice',
  'q=invoice%20refund',
  'q=order&status=failed',
  'q=not%20in%20any%20run',
];

/** Every filter and sort that the contract names, a hundred items each. */
export async function listFigures({ urls }: Headless, stored: number): Promise<Figure[]> {
  const runs = `${urls.platform}/v1/runs?limit=100`;
  const figures: Figure[] = [];
  const one = async (name: string, query: string, most: number | undefined, repeats: number) =>
    figures.push(
      await measure(SUITE, {
        name: `${name}, ${stored} stored`,
        unit: 'ms',
        warmup: 5,
        repeats,
        ...(most === undefined ? {} : { budget: { atMost: most } }),
        sample: () => milliseconds(() => get(`${runs}&${query}`)),
      }),
    );
  for (const [name, query] of LISTS) await one(`list: ${name}`, query, stored > 100 ? 10 : 5, 40);
  if (stored <= 100) return figures;
  for (const query of TEXTS) await one(decodeURIComponent(query), query, 20, 20);
  // What only the runs hold is read in slices: it takes longer and lets others go on.
  for (const query of ['sort_by=input_text', 'sort_by=metadata.spec.version']) {
    await one(`list: ${query}`, query, undefined, 20);
  }
  figures.push(
    await measure(SUITE, {
      name: `human tasks, ${stored} stored`,
      unit: 'ms',
      warmup: 5,
      repeats: 40,
      budget: { atMost: 10 },
      sample: () => milliseconds(() => get(`${urls.platform}/v1/human-tasks?limit=100`)),
    }),
  );
  figures.push(
    await measure(SUITE, {
      name: `the dashboard's list of 100, ${stored} stored`,
      unit: 'ms',
      warmup: 5,
      repeats: 40,
      sample: () => milliseconds(() => get(`${urls.dashboard}/api/runs?limit=100`)),
    }),
  );
  return figures;
}

/** A trace of 5,000 events with whole previews, by pages of a thousand. */
export async function traceFigures({ urls }: Headless): Promise<Figure[]> {
  const runs = `${urls.platform}/v1/runs`;
  const { id } = await tracedRun(urls.platform);
  const page = (offset: number) => get(`${runs}/${id}/trace?limit=1000&offset=${offset}`);
  return [
    await measure(SUITE, {
      name: 'trace: a page of 1000',
      unit: 'ms',
      warmup: 5,
      repeats: 30,
      budget: { atMost: 15 },
      sample: () => milliseconds(() => page(2000)),
    }),
    await measure(SUITE, {
      name: 'trace: 5000 events in five pages',
      unit: 'ms',
      warmup: 2,
      repeats: 15,
      budget: { atMost: 60 },
      sample: () =>
        milliseconds(async () => {
          for (let offset = 0; offset < 5000; offset += 1000) await page(offset);
        }),
    }),
  ];
}
