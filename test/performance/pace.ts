import { type Figure, milliseconds, toFigure } from './harness.ts';

const RECORDS = 10_000;
const TRIES = 5;

function recordsText(): string {
  const records = Array.from({ length: RECORDS }, (_, i) => ({
    id: `run-${i}`,
    status: i % 3 === 0 ? 'failed' : 'completed',
    steps: [i, { name: `step ${i}`, tokens: i * 7 }],
  }));
  return JSON.stringify(records);
}

/**
 * How fast the machine is at one fixed piece of work, in megabytes of JSON a second: the best of a
 * few tries, so that only a machine that is slow the whole time looks slow.
 */
export async function takePace(): Promise<number> {
  const text = recordsText();
  let best = 0;
  for (let i = 0; i < TRIES; i += 1) {
    const took = await milliseconds(() => JSON.stringify(JSON.parse(text)));
    best = Math.max(best, text.length / 1000 / took);
  }
  return best;
}

/** The row that tells figures of a slow day from slower code; it has no budget. */
export function paceFigure(samples: readonly number[]): Figure {
  return toFigure('machine', { name: 'pace: JSON read and written again', unit: 'MB/s' }, samples);
}
