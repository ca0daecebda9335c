import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformDeps } from '../deps.ts';
import { maskResumePoints, maskRunTexts, maskStoredState } from '../runs/mask-run.ts';

/** Others get their turn for so long between two runs. */
const PAUSE_MS = 1;

/** Masks what one run left. True when it is done or gone. */
async function maskRun(deps: PlatformDeps, runId: string): Promise<boolean> {
  const { masking } = deps;
  const run = masking.read(runId);
  if (run === undefined) return true;
  const kept = maskRunTexts(run);
  await sleep(0);
  const points = maskResumePoints(masking.points(runId));
  const state = masking.state(runId);
  const masked = state === undefined ? undefined : maskStoredState(state);
  return deps.commits.turn(() => masking.write(run, kept, points, masked));
}

/**
 * Masks what ended runs still hold (SECURITY.md): inputs, messages, metadata, resume points. A run at
 * a time; what a stop leaves is done at the next start.
 */
export async function maskEndedRuns(deps: PlatformDeps, signal?: AbortSignal): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const runs = deps.masking.waiting().filter((id) => !tried.has(id));
    if (runs.length === 0) return;
    for (const id of runs) {
      if (signal?.aborted === true) return;
      if (!(await maskRun(deps, id))) tried.add(id);
      await sleep(PAUSE_MS);
    }
  }
}
