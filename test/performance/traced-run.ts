import { get, post } from './platform-http.ts';
import { fanOf } from './platform-specs.ts';

/** Two events each, and those of the run. */
const TRACED = 2600;

/** A run with more than 5,000 events that have whole previews. */
export async function tracedRun(
  platform: string,
  agents = TRACED,
): Promise<{ readonly id: string; readonly events: number }> {
  const runs = `${platform}/v1/runs`;
  // The agents stand side by side: the offline runtime repeats its input, and a chain of so many
  // answers more than a run may.
  const body = { spec: fanOf(agents), input: 'hello '.repeat(100) };
  const id: string = JSON.parse(await post(runs, body)).run_id;
  const { total } = JSON.parse(await get(`${runs}/${id}/trace?limit=1`));
  if (total < 2 * agents) throw new Error(`the trace has ${total} events`);
  return { id, events: total };
}
