import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformDeps } from '../deps.ts';

/** Others get their turn for so long between two runs. */
const PAUSE_MS = 1;

/** Masks what one run left. True when it is done or gone. */
async function maskRun(deps: PlatformDeps, runId: string): Promise<boolean> {
  const { masking } = deps;
  const run = masking.read(runId);
  if (run === undefined) return true;
  const { id, status, updated_at, ...row } = run;
  const left = { row, points: masking.points(runId), state: masking.state(runId) };
  const kept = await deps.masker.mask(left);
  const ended = { id, status, updated_at, ...row };
  return deps.commits.turn(() => masking.write(ended, kept.row, kept.points, kept.state));
}

async function maskAll(deps: PlatformDeps, signal: AbortSignal): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const runs = deps.masking.waiting().filter((id) => !tried.has(id));
    if (runs.length === 0) return;
    for (const id of runs) {
      if (signal.aborted) return;
      if (!(await maskRun(deps, id))) tried.add(id);
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Masks what ended runs still hold (SECURITY.md): inputs, messages, metadata, resume points. A run at
 * a time; what a stop leaves, in the middle of a run too, is done at the next start.
 */
export async function maskEndedRuns(deps: PlatformDeps, signal: AbortSignal): Promise<void> {
  const stop = (): void => void deps.masker.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await maskAll(deps, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
