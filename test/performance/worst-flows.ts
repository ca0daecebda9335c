import { WORST_FLOWS } from '../support/worst-flows.ts';
import { type Figure, toFigure } from './harness.ts';

/** What a service in a process of its own tells of itself since it was asked last. */
export interface Measured {
  readonly blocked: number;
  readonly computed: number;
  readonly peak: number;
}

const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer admin-key' };
/** Every one of them is over long before. */
const LONGEST_MS = 120_000;
/** After so long a thread without work has collected its garbage. */
const REST_MS = 10_000;
const LOOK_MS = 100;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a spec to its end, looking seldom; answers its error's message. */
async function failureOf(url: string, spec: object): Promise<string> {
  const body = JSON.stringify({ spec, input: '{}', async_mode: true });
  const made = await fetch(`${url}/v1/runs`, { method: 'POST', headers: HEADERS, body });
  const { run_id: id } = Object(await made.json());
  const until = performance.now() + LONGEST_MS;
  while (performance.now() < until) {
    const { status, error } = Object(
      await (await fetch(`${url}/v1/runs/${id}`, { headers: HEADERS })).json(),
    );
    if (status === 'failed') return String(error?.message);
    if (status === 'completed') throw new Error('the run completed');
    await wait(LOOK_MS);
  }
  throw new Error('the run does not end');
}

/**
 * Imported workflows made to cost as much as they can, one after another: how long the platform's
 * event loop stood still while each ran to its failure, and what memory it kept in the end.
 */
export async function worstFlowFigures(
  { url, measured }: { readonly url: string; measured(): Promise<Measured> },
  atMost: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { what, spec, says } of WORST_FLOWS) {
    await measured();
    const message = await failureOf(url, spec);
    if (!says.test(message)) throw new Error(`${what}: ${message}`);
    const { blocked, computed } = await measured();
    const name = `flow: ${what} → failed, computed ${Math.round(computed)} ms`;
    figures.push(toFigure('worst', { name, unit: 'ms', budget: { atMost } }, [blocked]));
  }
  await wait(REST_MS);
  await measured();
  await wait(LOOK_MS);
  const { peak } = await measured();
  const kept = { name: 'memory of the platform, 10 s after the flows', unit: 'MiB' };
  return [...figures, toFigure('worst', kept, [peak])];
}
