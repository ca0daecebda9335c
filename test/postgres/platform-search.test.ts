import { expect, test } from 'vitest';
import { startTestPlatform } from '../support/platform.ts';
import { TINY } from '../support/specs.ts';
import { openStored } from '../support/stored.ts';

test('a node that indexes texts of any length has indexed them soon', async () => {
  const p = await startTestPlatform({ thread: false });
  try {
    const run = await p.post('/v1/runs', { input: 'a needle', spec: TINY });
    const stored = await openStored(p.file);
    const waiting = stored.prepare<[], { n: number }>(
      'SELECT count(*) AS n FROM run_search WHERE indexed = 0',
    );
    expect(run.status).toBe(200);
    await expect.poll(() => waiting.get()?.n, { timeout: 5_000 }).toBe(0);
    expect(p.logs.filter(({ level }) => level !== 'info')).toEqual([]);
    await stored.close();
  } finally {
    await p.stop();
  }
});
