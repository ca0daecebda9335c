// A data folder of each released version, opened by the present program: it finds everything in it,
// and what waited goes on (contract/platform.md 14).
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cli, createCli } from '../support/cli.ts';
import { call, layOut, RELEASED, runWith } from '../support/released-stores.ts';
import { serve } from '../support/served.ts';

let cli: Cli;
beforeEach(() => {
  cli = createCli();
});
afterEach(() => cli.dispose());

test('a data folder of this version is kept', () => {
  const manifest = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  expect(readdirSync(RELEASED)).toContain(version);
});

describe.each(readdirSync(RELEASED))('the data folder of %s', (version) => {
  test('is read, and its runs go on', { timeout: 60_000 }, async () => {
    const facts = layOut(cli, version);
    const served = await serve(cli);
    for (const { service, route, body } of facts.answers) {
      expect(await call(cli, served, service, route), route).toMatchObject(body);
    }
    const { continuation_id: task, pending_human_request: request } = await runWith(
      cli,
      served,
      facts.waiting_run,
      'blocked',
    );
    await call(cli, served, 'platform', `/v1/human-tasks/${task}/resume`, {
      request_id: request.id,
      decision: 'approved',
    });
    expect((await runWith(cli, served, facts.waiting_run, 'completed')).output_text).not.toBe('');

    const again = await call(cli, served, 'platform', `/v1/runs/${facts.completed_run}/rerun`, {
      checkpoint_sequence: 1,
    });
    await runWith(cli, served, again.run_id, 'completed');
    expect(await served.stop()).toBe(0);
  });
});
