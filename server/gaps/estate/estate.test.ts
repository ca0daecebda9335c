import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EstateFile, estateOf } from './estate.ts';
import { type CausedGap, fileCauses, gapsOfCause } from './shared-causes.ts';
import { NO_FACTS, sourceFacts } from './source-facts.ts';

const node = (type: string, part: object = {}) => ({
  name: `Node ${type}`,
  type: `n8n-nodes-base.${type}`,
  parameters: {},
  ...part,
});
const n8n = (document: object) => sourceFacts('n8n', JSON.stringify(document));

describe('what a source says of the workflows around it', () => {
  it('n8n: steps and tools that run workflows, the workflow for errors, credentials by name', () => {
    const facts = n8n({
      id: 'w1',
      name: 'Desk',
      settings: { errorWorkflow: 'w9' },
      nodes: [
        node('executeWorkflow', { parameters: { workflowId: 'w2' } }),
        node('executeWorkflow', { parameters: { workflowId: '={{ $json.id }}' } }),
        node('executeWorkflow', { parameters: { workflowJson: '{}' } }),
        node('executeWorkflow', { parameters: { workflowId: 'w3' }, disabled: true }),
        node('toolWorkflow', {
          parameters: { workflowId: { __rl: true, value: 'w4', cachedResultName: 'Look up' } },
        }),
        node('slack', { credentials: { slackApi: { id: '7', name: 'Team' } } }),
        node('slack', { credentials: { slackApi: { id: '7', name: 'Team' }, odd: 'sk-plain' } }),
      ],
    });
    expect(facts).toEqual({
      id: 'w1',
      name: 'Desk',
      calls: [
        { kind: 'step', label: 'Node executeWorkflow', wanted: ['w2'] },
        { kind: 'step', label: 'Node executeWorkflow', wanted: [] },
        { kind: 'tool', label: 'Node toolWorkflow', wanted: ['w4', 'Look up'] },
        { kind: 'error', label: '', wanted: ['w9'] },
      ],
      credentials: [{ type: 'slackApi', id: '7', name: 'Team' }],
    });
  });

  it('Dify: apps that are tools, and the providers of models and tools', () => {
    const facts = sourceFacts(
      'dify',
      `app: {mode: workflow, name: Desk}
workflow:
  graph:
    nodes:
    - data: {type: llm, model: {provider: openai, name: gpt-4o}}
    - data: {type: tool, provider_type: workflow, tool_name: look_up, title: Look it up}
    - data: {type: tool, provider_type: builtin, provider_name: google}
`,
    );
    expect(facts.name).toBe('Desk');
    expect(facts.calls).toEqual([{ kind: 'tool', label: 'Look it up', wanted: ['look_up'] }]);
    expect(facts.credentials.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'model provider openai',
      'tool provider google',
    ]);
  });

  it('gives no name that holds a secret', () => {
    const secret = `sk-proj-${'Zk3v9Qw8Lm2x'.repeat(3)}`;
    const credentials = { openAiApi: { name: secret } };
    expect(
      JSON.stringify(n8n({ name: secret, nodes: [node('set', { credentials })] })),
    ).not.toContain(secret);
  });

  it('says nothing of what it cannot read, whatever it is', () => {
    expect(sourceFacts('n8n', '{')).toEqual(NO_FACTS);
    expect(sourceFacts('dify', 'a: [')).toMatchObject({ calls: [], credentials: [] });
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('n8n', 'dify'), (text, source) => {
        expect(sourceFacts(source, text).calls.length).toBeLessThanOrEqual(200);
      }),
    );
  });
});

const gap = (kind: string, part: Partial<CausedGap> = {}): CausedGap => ({
  ...{ kind, severity: 'blocking', title: 'No counterpart: Sheet', detail: 'reads 3 rows' },
  source_ref: { source_id: 's', source_label: 'Sheet' },
  ...part,
});
const sheets = () => 'n8n-nodes-base.googleSheets';

const file = (path: string, facts: object, gaps: readonly CausedGap[] = []): EstateFile => ({
  ...{ path, draft: `${path}.yaml`, blocking: gaps.length },
  facts: { ...NO_FACTS, ...facts },
  causes: fileCauses(gaps, sheets),
});
const call = (...wanted: string[]) => ({ kind: 'step' as const, label: 'Call', wanted });

describe('the estate', () => {
  it('resolves calls by id, then by name, and says what stays open', () => {
    const { calls } = estateOf([
      file('a', { id: '1', calls: [call('2'), call('Shared'), call('9'), call(), call('1')] }),
      file('b', { id: '2', name: 'Shared' }),
      file('c', { id: '3', name: 'Shared' }),
      file('d', { id: '4', name: '2', calls: [call('2', 'Shared')] }),
    ]);
    expect(calls.map(({ from, state, to }) => [from, state, to.join()])).toEqual([
      ['a', 'found', 'b'],
      ['a', 'several', 'b,c'],
      ['a', 'missing', ''],
      ['a', 'computed', ''],
      ['a', 'itself', 'a'],
      ['d', 'found', 'b'],
    ]);
  });

  it('counts a credential once a file, by its id where it has one', () => {
    const one = { type: 'slackApi', id: '7', name: 'Team' };
    const { credentials } = estateOf([
      file('a', { credentials: [one] }),
      file('b', { credentials: [{ ...one, name: 'Renamed' }] }),
      file('c', { credentials: [{ ...one, id: null }] }),
    ]);
    expect(credentials.map(({ files }) => files)).toEqual([['a', 'b'], ['c']]);
  });

  it('puts the cause first whose answer frees most files', () => {
    const code = gap('code', { title: 'Code: Sheet' });
    const { causes } = estateOf([
      file('a', {}, [gap('proprietary_node'), gap('proprietary_node', { detail: 'reads 4 rows' })]),
      file('b', {}, [gap('proprietary_node'), code]),
      file('c', {}, [code]),
      file('d', {}, [code]),
      { ...file('e', {}, [code]), draft: null },
    ]);
    expect(causes.map(({ kind, frees, files, gaps }) => [kind, frees, files, gaps])).toEqual([
      ['code', ['c', 'd'], ['b', 'c', 'd'], 3],
      ['proprietary_node', ['a'], ['a', 'b'], 3],
    ]);
  });

  it('finds the gaps of a cause again', () => {
    const gaps = [gap('proprietary_node'), gap('code'), gap('info', { severity: 'info' })];
    const [first] = fileCauses(gaps, sheets);
    expect(first).toMatchObject({ kind: 'proprietary_node', subject: 'googleSheets', count: 1 });
    expect(gapsOfCause(gaps, sheets, first?.id ?? '')).toEqual([gaps[0]]);
    expect(fileCauses(gaps, sheets)).toHaveLength(2);
  });

  it('holds for any files: calls lead to files, no cause frees a file that another blocks', () => {
    const name = fc.constantFrom('1', '2', '3', 'x');
    const anyFile = fc.record({
      id: fc.option(name),
      name: fc.option(name),
      calls: fc.array(fc.array(name, { maxLength: 2 }), { maxLength: 4 }),
      kinds: fc.array(fc.constantFrom('code', 'memory', 'expression'), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(anyFile, { maxLength: 12 }), (made) => {
        const files = made.map(({ id, name: own, calls, kinds }, index) =>
          file(
            `f${index}`,
            { id, name: own, calls: calls.map((wanted) => call(...wanted)) },
            kinds.map((kind) => gap(kind)),
          ),
        );
        const estate = estateOf(files);
        const paths = new Set(files.map(({ path }) => path));
        expect(estate.calls.flatMap(({ to }) => to).every((path) => paths.has(path))).toBe(true);
        const freed = estate.causes.flatMap(({ frees }) => frees);
        expect(new Set(freed).size).toBe(freed.length);
        const gaps = estate.causes.reduce((sum, cause) => sum + cause.gaps, 0);
        expect(gaps).toBe(made.reduce((sum, { kinds }) => sum + kinds.length, 0));
      }),
    );
  });
});
