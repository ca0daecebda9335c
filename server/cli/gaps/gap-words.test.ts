import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCli } from '../../../test/support/cli.ts';

const cli = createCli();
afterAll(() => cli.dispose());

const EXPORT = 'error-output-and-run-settings.json';
const fixture = path.resolve(import.meta.dirname, '../../../test/fixtures/n8n', EXPORT);
cli.write(EXPORT, readFileSync(fixture, 'utf8'));

const listed = z.object({
  gaps: z.array(
    z.object({
      gap_id: z.string(),
      kind: z.string(),
      severity: z.enum(['blocking', 'manual', 'info']),
      fixes: z.array(z.object({ id: z.string(), title: z.string(), fields: z.array(z.unknown()) })),
    }),
  ),
});
const fixed = z.strictObject({
  fix: z.string(),
  written: z.boolean(),
  done: z.array(z.string()),
  refused: z.array(z.strictObject({ gap_id: z.string(), reason: z.string() })),
  new_error: z.string().nullable(),
});

describe('gap words', { timeout: 60_000 }, () => {
  test('list the gaps of an export with the edits that fit, and make one in the draft (AS-003)', async () => {
    const imported = await cli.run(['import', EXPORT, '--output', 'desk.yaml']);
    expect(imported.code).toBe(0);
    const list = await cli.run(['gaps', EXPORT, '--draft', 'desk.yaml', '--json']);
    const { gaps } = listed.parse(JSON.parse(list.stdout));
    const gap = gaps.find(({ fixes }) => fixes.some(({ id }) => id === 'on_failure'));
    const before = cli.read('desk.yaml');
    const words = ['gaps', 'fix', EXPORT, gap?.gap_id ?? '', '--draft', 'desk.yaml'];
    const edit = ['--fix', 'on_failure', '--set', 'retries=7'];

    const checked = await cli.run([...words, ...edit, '--check']);
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain('1 would be answered');
    expect(cli.read('desk.yaml')).toBe(before);

    const done = fixed.parse(JSON.parse((await cli.run([...words, ...edit, '--json'])).stdout));
    expect(done).toEqual({
      ...{ fix: 'on_failure', written: true, refused: [], new_error: null },
      done: [gap?.gap_id],
    });
    const lines = cli.read('desk.yaml').split('\n');
    const made = lines.filter((line) => !before.split('\n').includes(line));
    expect(made.map((line) => line.trim())).toEqual(['on_error: fail', 'max_retries: 7']);
  });

  test('map many exports: who runs whom, what they share, what one answer frees', async () => {
    const export_ = (name: string, nodes: readonly object[], more: object = {}) =>
      JSON.stringify({ name, nodes, connections: {}, ...more });
    const node = (name: string, type: string, more: object = {}) => ({
      ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, position: [0, 0] },
      ...{ parameters: {}, ...more },
    });
    const credentials = { slackApi: { id: '7', name: 'Team' } };
    const call = { parameters: { workflowId: 'Refunds' } };
    cli.write('estate/a.json', export_('Desk', [node('Run', 'executeWorkflow', call)]));
    cli.write('estate/b.json', export_('Refunds', [node('Tell', 'slack', { credentials })]));
    cli.write('estate/c.json', export_('Report', [node('Tell', 'slack', { credentials })]));
    const shown = await cli.run(['gaps', 'estate', 'estate']);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toMatch(/2 +2 +2 +blocking +No counterpart in the draft slack/);
    expect(shown.stdout).toMatch(/a\.json +step +\S*b\.json +found/);
    expect(shown.stdout).toMatch(/2 +Team +slackApi/);
    const { calls, causes } = JSON.parse(
      (await cli.run(['gaps', 'estate', 'estate', '--json'])).stdout,
    );
    expect([calls.length, causes[0].frees.length]).toEqual([1, 2]);
    cli.write('none/readme.txt', 'nothing');
    expect(await cli.run(['gaps', 'estate', 'none'])).toMatchObject({ code: 1 });
  });

  test.each([
    [['gaps', 'fix', EXPORT, 'none', '--draft', 'desk.yaml'], 2, "no gap 'none'"],
    [['gaps', 'fix', EXPORT, '--draft', 'desk.yaml'], 2, 'Name the gaps to answer'],
    [['gaps', 'fix', EXPORT, '--draft', 'desk.yaml', '--fix', 'no_such'], 2, 'does not fit here'],
    [
      ['gaps', 'fix', EXPORT, '--draft', 'desk.yaml', '--fix', 'on_failure', '--set', 'speed=1'],
      ...([2, 'the fields of'] as const),
    ],
    [['gaps', 'missing.json', '--source', 'n8n'], 1, 'missing.json'],
  ] as const)('%j is refused with what to do', async (words, code, said) => {
    const before = cli.read('desk.yaml');
    const refused = await cli.run([...words]);
    expect(refused.code).toBe(code);
    expect(refused.stderr).toContain(said);
    expect(cli.read('desk.yaml')).toBe(before);
  });
});
