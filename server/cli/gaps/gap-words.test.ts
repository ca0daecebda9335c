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
    cli.write('estate/b.json', export_('Refunds', [node('Tell', 'salesforce', { credentials })]));
    cli.write('estate/c.json', export_('Report', [node('Tell', 'salesforce', { credentials })]));
    const shown = await cli.run(['gaps', 'estate', 'estate']);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toMatch(/2 +2 +2 +blocking +No counterpart in the draft salesforce/);
    expect(shown.stdout).toMatch(/a\.json +step +\S*b\.json +found/);
    expect(shown.stdout).toMatch(/2 +Team +slackApi/);
    const { calls, causes } = JSON.parse(
      (await cli.run(['gaps', 'estate', 'estate', '--json'])).stdout,
    );
    expect([calls.length, causes[0].frees.length]).toEqual([1, 2]);
    cli.write('none/readme.txt', 'nothing');
    expect(await cli.run(['gaps', 'estate', 'none'])).toMatchObject({ code: 1 });
  });

  test('make one edit in many drafts, show each, and make it again after a new import', async () => {
    const node = (name: string, type: string, more: object = {}) => ({
      ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, position: [0, 0] },
      ...{ parameters: {}, ...more },
    });
    const write = (note: string): void => {
      for (const name of ['Desk', 'Refunds', 'Report']) {
        const nodes = [
          node('Start', 'manualTrigger'),
          node(`Tell ${name}`, 'salesforce', { notes: note }),
        ];
        const link = [{ node: `Tell ${name}`, type: 'main', index: 0 }];
        const connections = { Start: { main: [link] } };
        cli.write(`many/${name}.json`, JSON.stringify({ name, nodes, connections }));
      }
    };
    write('first');
    await cli.run(['import', 'many', '--out', 'drafts']);
    const before = cli.read('drafts/desk.yaml');
    const words = ['gaps', 'fix', 'many', '--drafts', 'drafts'];
    const unsaid = await cli.run(words);
    expect([unsaid.code, unsaid.stderr]).toEqual([2, expect.stringContaining('--all')]);
    const choose = await cli.run([...words, '--cause', 'salesforce']);
    expect(choose.stderr).toContain('name_function (3 drafts)');

    const edit = [...words, '--cause', 'salesforce', '--fix', 'name_function'];
    const set = ['--set', 'function=team.tell'];
    const shown = await cli.run([...edit, ...set, '--dry-run']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('3 gaps would be answered in 3 drafts');
    expect(shown.stdout).toMatch(/^--- desk\.yaml\n\+\+\+ desk\.yaml\n@@ -\d+,7 \+\d+,7 @@/);
    expect(cli.read('drafts/desk.yaml')).toBe(before);

    const made = JSON.parse((await cli.run([...edit, ...set, '--json'])).stdout);
    const [desk] = made.drafts;
    expect(desk).toMatchObject({ draft: 'desk.yaml', written: true, refused: [], new_error: null });
    const changed = desk.diff.split('\n').filter((line: string) => /^[+-] /.test(line));
    expect(changed.map((line: string) => line.replace(/ +/, ' '))).toEqual([
      '- implementation: imported.tell_desk',
      '+ implementation: team.tell',
    ]);
    expect(cli.read('drafts/report.yaml')).toContain('implementation: team.tell');

    write('second');
    const repairs = cli.read('drafts/repairs.json');
    expect(JSON.parse(repairs).repairs).toMatchObject([{ fix: 'name_function' }]);
    await cli.run(['import', 'many', '--out', 'newer']);
    cli.write('newer/repairs.json', repairs);
    const newer = ['gaps', 'fix', 'many', '--drafts', 'newer', '--again'];
    expect(await cli.run(newer)).toMatchObject({ code: 0 });
    const text = cli.read('newer/refunds.yaml');
    expect(text).toContain('implementation: team.tell');
    expect(await cli.run(newer)).toMatchObject({ code: 0 });
    expect(cli.read('newer/refunds.yaml')).toBe(text);
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
    [['gaps', 'fix', EXPORT], 2, 'Name the draft to edit'],
    [['gaps', 'fix', EXPORT, '--draft', 'desk.yaml', '--all'], 2, 'go with --drafts'],
    [['gaps', 'fix', EXPORT, '--drafts', 'none', '--again'], 1, 'No repairs are remembered'],
    [['gaps', 'fix', EXPORT, '--drafts', 'none', '--again', '--all'], 2, 'only --again'],
  ] as const)('%j is refused with what to do', async (words, code, said) => {
    const before = cli.read('desk.yaml');
    const refused = await cli.run([...words]);
    expect(refused.code).toBe(code);
    expect(refused.stderr).toContain(said);
    expect(cli.read('desk.yaml')).toBe(before);
  });

  test('write the function of a gap beside the draft, which names it; again it takes another name', async () => {
    const fixture = '../../../test/fixtures/story/order-desk.json';
    cli.write('order-desk.json', readFileSync(path.resolve(import.meta.dirname, fixture), 'utf8'));
    await cli.run(['import', 'order-desk.json', '--output', 'orders.yaml']);
    const words = ['gaps', 'fix', 'order-desk.json', '--draft', 'orders.yaml'];
    const write = [...words, '--fix', 'write_function', '--json'];
    const { code, json } = await cli.run(write);
    expect(code).toBe(0);
    expect(
      json.written.map(({ implementation }: Record<string, string>) => implementation),
    ).toEqual(['call_the_customer.run', 'print_a_letter.run']);
    expect(cli.read('orders.yaml')).toContain('implementation: print_a_letter.run');
    expect(cli.read('functions/call_the_customer.ts')).toContain('from: string;');
    const none = await cli.run(write);
    expect(none.stderr).toContain('No gap here waits for code');
  });
});
