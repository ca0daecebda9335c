import type { RunningPlatform } from '../../platform/service-options.ts';
import { openLocalPlatform, refuseServed } from '../connect/local-platform.ts';
import { printFacts, printJson } from '../output.ts';

export interface PassOptions {
  readonly data?: string;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

async function onStore(
  options: PassOptions,
  pass: (platform: RunningPlatform) => Promise<object>,
): Promise<number> {
  const local = await openLocalPlatform({ data: options.data, background: false });
  if (local.kind === 'served') return refuseServed(local.note);
  try {
    const report = await pass(local.platform);
    if (options.json) printJson(report);
    else printFacts({ ...report });
  } finally {
    await local.stop();
  }
  return 0;
}

/** `service sweep`: one pass over leases, deadlines and human tasks of the local store. */
export async function sweep(options: PassOptions): Promise<number> {
  return onStore(options, async (platform) => {
    const { timed_out, expired, continued, escalated, dead_lettered, failed } =
      await platform.sweep();
    return { timed_out, expired, continued, escalated, dead_lettered, failed };
  });
}

/** `service retention`: one retention pass; a dry run only counts. */
export async function retention(options: PassOptions): Promise<number> {
  return onStore(options, (platform) => platform.retain({ dryRun: options.dryRun ?? false }));
}
