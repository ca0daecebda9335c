import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createCli } from '../../../test/support/cli.ts';

const cli = createCli();
afterAll(() => cli.dispose());

const CASES = path.resolve(import.meta.dirname, '../../../test/fixtures/n8n-runs');

/** The export of a recorded case, as a file of its own. */
function exported(name: string, change: (workflow: Record<string, unknown>) => void = () => {}) {
  const { workflow } = JSON.parse(readFileSync(path.join(CASES, `${name}.json`), 'utf8'));
  change(workflow);
  return cli.write(`${name}.json`, JSON.stringify(workflow));
}

describe('specwright rehearse', () => {
  test('prints what every node gave, by the names of the source, and the gaps', async () => {
    const { code, json } = await cli.run(['rehearse', exported('if-01-both-ways'), '--json']);
    expect(code).toBe(0);
    expect(Object.keys(json)).toEqual(['status', 'runs', 'error', 'gaps']);
    expect(json).toMatchObject({ status: 'success', error: null });
    expect(json.runs.map(({ node }: { node: string }) => node)).toEqual(['T', 'If', 'Yes', 'No']);
    expect(json.runs[1]).toEqual({
      node: 'If',
      run: 0,
      outputs: {
        main: [
          [{ json: { n: 5 } }, { json: { n: 9 } }],
          [{ json: { n: 1 } }, { json: { n: 2 } }],
        ],
      },
    });
    expect(json.gaps[0]).toEqual({
      kind: expect.any(String),
      severity: expect.any(String),
      source_label: expect.any(String),
    });
  });

  test('takes other items, as they are or as fields, and a named trigger', async () => {
    const items = cli.write('items.json', '[{"n": 7}, {"json": {"n": 8}}]');
    const file = exported('if-01-both-ways');
    const words = ['rehearse', file, '--items', items, '--trigger', 'T', '--json'];
    const { json } = await cli.run(words);
    expect(json.runs[0].outputs.main).toEqual([[{ json: { n: 7 } }, { json: { n: 8 } }]]);
    const other = await cli.run(['rehearse', file, '--trigger', 'nobody']);
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain("no node 'nobody'; it begins with 'T'");
    const odd = await cli.run(['rehearse', file, '--items', cli.write('odd.json', '[1]')]);
    expect(odd.stderr).toContain('must hold a list of objects');
  });

  test('ends with 1 when the run fails, and says where; a table is for people', async () => {
    const { code, stdout, stderr } = await cli.run(['rehearse', exported('code-05-throw')]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/NODE +RUN +ITEMS +FIRST/);
    expect(stderr).toContain('Code: boom [line 2]');
  });

  test('calls workflows of other files, and fails without them as the source does', async () => {
    const caller = exported('sub-07-last-node', (workflow) => {
      for (const node of workflow['nodes'] as { parameters: Record<string, unknown> }[])
        if ('workflowId' in node.parameters) node.parameters['workflowId'] = 'child';
    });
    const { children } = JSON.parse(
      readFileSync(path.join(CASES, 'sub-07-last-node.json'), 'utf8'),
    );
    const child = cli.write('child.json', JSON.stringify({ ...children[0], id: 'child' }));
    const { code, json } = await cli.run(['rehearse', caller, '--with', child, '--json']);
    expect([code, json.status]).toEqual([0, 'success']);
    expect(json.runs.map(({ node }: { node: string }) => node)).toEqual(['T', 'Call', 'After']);
    expect(json.runs[1].outputs.main).toEqual([[{ json: { x: 'two' } }]]);
    const alone = await cli.run(['rehearse', caller, '--json']);
    expect(alone.json.error).toEqual({ node: 'Call', message: 'Workflow does not exist.' });
  });

  test('begins no run that the source refuses, and says for which node', async () => {
    const { code, json } = await cli.run([
      'rehearse',
      exported('set-17-raw-invalid-literal'),
      '--json',
    ]);
    expect([code, json.status, json.runs, json.error.node]).toEqual([1, 'error', [], null]);
    expect(json.error.message).toContain("'r0'");
  });

  test('of a workflow that nothing here runs tells its gaps', async () => {
    const file = exported('err-10-unknown-node-type');
    const { code, json } = await cli.run(['rehearse', file, '--json']);
    expect([code, json.status]).toEqual([1, 'error']);
    const named = json.gaps.filter(({ severity }: { severity: string }) => severity === 'blocking');
    expect(named).toEqual([expect.objectContaining({ source_label: 'Odd' })]);
  });

  test('a mock answers for a node that nothing here runs, and the report marks it', async () => {
    const file = exported('err-10-unknown-node-type', (workflow) => {
      for (const node of Object(workflow['nodes'])) {
        const limit = { type: 'n8n-nodes-base.limit', parameters: { maxItems: 1 } };
        if (node.name === 'After') Object.assign(node, limit);
      }
    });
    const mock = cli.write('mock.json', '{"Odd": [{"n": 1}, {"n": 2}]}');
    const { json } = await cli.run(['rehearse', file, '--mock', mock, '--json']);
    expect(json.status).toBe('success');
    expect(json.runs.slice(1)).toEqual([
      {
        node: 'Odd',
        run: 0,
        answered_by: 'mocked',
        outputs: { main: [[{ json: { n: 1 } }, { json: { n: 2 } }]] },
      },
      { node: 'After', run: 0, outputs: { main: [[{ json: { n: 1 } }]] } },
    ]);
    const table = await cli.run(['rehearse', file, '--mock', mock]);
    expect(table.stdout).toContain('Odd (mocked)');
    const nobody = cli.write('nobody.json', '{"Nobody": [{}]}');
    const odd = await cli.run(['rehearse', file, '--mock', nobody]);
    expect(odd.stderr).toContain("no node 'Nobody' that could be mocked");
  });
});
