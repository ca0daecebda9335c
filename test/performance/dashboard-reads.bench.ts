import type { Headless } from '../e2e/support/headless.ts';
import { type Figure, measure, milliseconds } from './harness.ts';
import { get } from './platform-http.ts';
import { tracedRun } from './traced-run.ts';

const SUITE = 'dashboard';
const MOST = 15;

interface Read {
  readonly name: string;
  readonly target: string;
  readonly atMost: number;
}

const LISTED = 'sort_by=updated_at&sort_order=desc&offset=0';

/** What the window's places ask for, in their words; the first page of a place is due in 300 ms. */
const READS: readonly Read[] = [
  { name: 'overview', target: '/overview', atMost: MOST },
  { name: 'overview: stuck runs', target: '/runs?stuck_only=true&limit=5&offset=0', atMost: 300 },
  { name: 'overview: spend of 7 days', target: '/spend?window=7d', atMost: 300 },
  { name: 'page of runs', target: '/runs?limit=100&offset=0', atMost: MOST },
  {
    name: 'page of runs with its counts',
    target: '/runs?limit=100&offset=0&status_counts=true',
    atMost: MOST,
  },
  {
    name: 'page of runs, by name',
    target: '/runs?limit=100&offset=0&workflow_name=review',
    atMost: MOST,
  },
  { name: 'page of runs, by a word', target: '/runs?limit=100&offset=0&q=invoice', atMost: 300 },
  { name: 'failures: newest 200', target: `/runs?status=failed&limit=200&${LISTED}`, atMost: MOST },
  { name: 'human tasks', target: '/human-tasks?limit=100&offset=0', atMost: MOST },
];

/** Reads of the dashboard over a platform with many stored runs, on a kept connection. */
export async function readFigures({ urls }: Headless, stored: number): Promise<Figure[]> {
  const api = `${urls.dashboard}/api`;
  const { id, events } = await tracedRun(urls.platform);
  const trace = `/runs/${id}/trace?limit=500`;
  const reads: readonly Read[] = [
    ...READS,
    { name: `run of ${events} events`, target: `/runs/${id}`, atMost: 300 },
    { name: `replay of ${events} events`, target: `/runs/${id}/record/replay`, atMost: 300 },
    { name: 'trace: first page of 500', target: `${trace}&offset=0`, atMost: MOST },
    { name: 'trace: a later page of 500', target: `${trace}&offset=4000`, atMost: MOST },
  ];
  const figures: Figure[] = [];
  for (const { name, target, atMost } of reads) {
    figures.push(
      await measure(SUITE, {
        name: `${name}, ${stored} stored`,
        unit: 'ms',
        warmup: 10,
        repeats: 40,
        budget: { atMost },
        sample: () => milliseconds(() => get(api + target)),
      }),
    );
  }
  return figures;
}
