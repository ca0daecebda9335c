import { describe, expect, it, vi } from 'vitest';
import { isItemFlow, itemFlowFaults } from '../../test/support/item-flow-faults.ts';
import type { Analysis } from './analysis.ts';
import { readJson } from './read-json.ts';
import { ledgerFaults } from './testing/check-ledger.ts';
import { AGENT, analysisOf, BASE, type Made, textOf, trigger } from './testing/item-exports.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).SOME_STEP_TYPES,
);

function convert(elements: Readonly<Record<string, Made>>, workflow: object = {}): Analysis {
  const raw = textOf(elements, workflow);
  const outcome = analysisOf(raw);
  expect(itemFlowFaults(raw, outcome)).toEqual([]);
  expect(ledgerFaults(readJson(raw), outcome)).toEqual([]);
  return outcome;
}

function flowOf(outcome: Analysis): { steps: Record<string, Record<string, unknown>> } {
  return (outcome.spec['metadata'] as { flow: never }).flow;
}

function edgesOf({ spec }: Analysis): string[] {
  const { edges } = spec['workflow'] as { edges: Record<string, unknown>[] };
  return edges.map((edge) => `${edge['from']} ${edge['label'] ?? ''}> ${edge['to']}`);
}

function told(outcome: Analysis, label: string): string[] {
  const own = outcome.gaps.filter((gap) => gap.source_ref.source_label === label);
  return own.map((gap) => `${gap.severity} ${gap.kind}`);
}

describe('a flow of items (importers 14, decision record 0024)', () => {
  it('has the settings of the source as they are, and says nothing of steps that run here', () => {
    const parameters = {
      mode: 'raw',
      jsonOutput: '={{ $json.a }}',
      at: { __rl: true, mode: 'id', value: 'x' },
    };
    const outcome = convert(
      {
        t: trigger,
        a: {
          parameters,
          more: { retryOnFail: true, maxTries: 4, executeOnce: true, alwaysOutputData: true },
        },
      },
      { settings: { executionOrder: 'v1', timezone: 'Europe/Berlin' } },
    );
    expect(flowOf(outcome)).toEqual({
      source: 'n8n',
      order: 'v1',
      zone: 'Europe/Berlin',
      name: 'Desk',
      steps: {
        t: { name: 't', type: `${BASE}manualTrigger`, version: 1, parameters: {} },
        a: {
          name: 'a',
          type: `${BASE}set`,
          version: 3.4,
          parameters,
          execute_once: true,
          always_output: true,
          retry: { tries: 4, wait_ms: 1000 },
        },
      },
    });
    expect(outcome.spec).toMatchObject({
      workflow: { start: 't', nodes: { a: { kind: 'function', ref: 'a' } } },
      components: { functions: { a: { implementation: 'n8n.set' } } },
    });
    expect(told(outcome, 'a')).toEqual([]);
    expect(outcome.gaps.map(({ severity }) => severity)).toEqual(['info', 'info']);
    const leaves = outcome.ledger?.filter(({ element }) => element === 'id-a') ?? [];
    expect(leaves.every(({ fate, form }) => fate !== 'told' && form !== 'note')).toBe(true);
  });

  it('follows the newer order by the place of the target, the older one by the connections', () => {
    const elements: Record<string, Made> = {
      t: { ...trigger, to: [['a', 'b', 'c', 'd']] },
      a: { at: [200, 300] },
      b: { at: [200, 100] },
      c: { at: [100, 100] },
      d: { at: [100, 100] },
    };
    const newer = convert(elements, { settings: { executionOrder: 'v1' } });
    expect(edgesOf(newer)).toEqual(['t > d', 't > c', 't > b', 't > a']);
    expect(edgesOf(convert(elements))).toEqual(['t > a', 't > b', 't > c', 't > d']);
  });

  it('names outputs, and lists what feeds each of several inputs', () => {
    const outcome = convert({
      t: trigger,
      a: { type: `${BASE}if`, version: 2.2, to: [['m#1'], ['m', 'c']] },
      m: { type: `${BASE}merge`, version: 3 },
      c: {
        type: `${BASE}code`,
        version: 2,
        to: [['d'], ['e']],
        more: { onError: 'continueErrorOutput' },
      },
      d: {},
      e: {},
    });
    expect(edgesOf(outcome)).toEqual([
      ...['t > a', 'a true> m', 'a false> m', 'a false> c'],
      ...['c 0> d', 'c error> e'],
    ]);
    const wired = outcome.ledger?.filter(({ what }) => what === 'output') ?? [];
    expect(wired.map(({ draft }) => draft).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].map((edge) => `workflow.edges[${edge}]`),
    );
    const { steps } = flowOf(outcome);
    expect(steps['m']?.['inputs']).toEqual([
      [{ step: 'a', output: 1 }],
      [{ step: 'a', output: 0 }],
    ]);
    expect(steps['c']?.['on_error']).toBe('error_output');
    expect(told(outcome, 'c')).toEqual([]);
  });

  it('begins with one of several triggers', () => {
    const outcome = convert({
      t: trigger,
      u: { type: `${BASE}webhook`, version: 2, parameters: { path: 'x' }, to: [['a']] },
      off: { type: `${BASE}webhook`, version: 2, to: [['a']], more: { disabled: true } },
      a: {},
    });
    expect(outcome.spec).toMatchObject({ workflow: { start: 'start' } });
    expect(flowOf(outcome).steps['start']).toMatchObject({ parameters: { triggers: ['t', 'u'] } });
    expect(edgesOf(outcome).slice(0, 2)).toEqual(['start t> t', 'start u> u']);
    expect(told(outcome, 'u')).toEqual(['manual entry_mechanism_not_carried']);
    expect(flowOf(outcome).steps['off']).toMatchObject({ disabled: true });
  });

  it('carries circles and what is switched off, and says the limit once', () => {
    const outcome = convert({
      t: trigger,
      a: { to: [['b']] },
      b: { type: `${BASE}slack`, to: [['a']], more: { disabled: true } },
    });
    expect(edgesOf(outcome)).toEqual(['t > a', 'a > b', 'b > a']);
    expect(flowOf(outcome).steps['b']).toMatchObject({ disabled: true, type: `${BASE}slack` });
    expect(outcome.spec).toMatchObject({ workflow: { max_steps: 10_000 } });
    expect(outcome.gaps.filter(({ detail }) => detail.includes('max_steps'))).toHaveLength(1);
    expect(outcome.gaps.filter(({ severity }) => severity === 'blocking')).toEqual([]);
  });

  it('asks agents what the source asks them, for each item', () => {
    const prompt = '=Sum up {{ $json.text }} of {{ $("t").item.json.who }}';
    const outcome = convert({
      t: trigger,
      a: { to: [['b']] },
      b: {
        type: AGENT,
        version: 1.6,
        parameters: { promptType: 'define', text: prompt, options: { systemMessage: 'Be brief.' } },
        to: [['c']],
      },
      c: {
        type: AGENT,
        version: 1.6,
        parameters: { options: { systemMessage: '=You are {{ $json.role }}.' } },
      },
    });
    expect(flowOf(outcome).steps['b']).toEqual({
      name: 'b',
      type: AGENT,
      version: 1.6,
      prompt,
    });
    expect(outcome.spec).toMatchObject({
      components: { agents: { b: { system_prompt: 'Be brief.' } } },
    });
    expect(flowOf(outcome).steps['c']?.['prompt']).toBe(
      '=You are {{ $json.role }}.\n\n{{ $json.chatInput }}',
    );
    expect(told(outcome, 'b')).toEqual([]);
    expect(told(outcome, 'c')).toEqual(['manual carried_as']);
  });

  it('blocks where nothing of ours does the job, and says what', () => {
    const outcome = convert({
      t: trigger,
      a: { to: [['b']] },
      b: {
        type: `${BASE}code`,
        version: 2,
        parameters: { language: 'python', pythonCode: 'x' },
        to: [['c']],
      },
      c: { type: `${BASE}slack`, parameters: { text: 'hi' }, to: [['d']] },
      d: { version: 9, to: [['e']] },
      e: {
        type: `${BASE}convertToFile`,
        version: 1.1,
        parameters: { operation: 'xlsx' },
        to: [['f']],
      },
      f: { type: `${BASE}merge`, version: 3.1, parameters: { mode: 'combineBySql' } },
    });
    expect(told(outcome, 'b')).toEqual(['blocking proprietary_node']);
    expect(outcome.gaps.find((gap) => gap.spec_ref === 'b')?.detail).toContain('language = python');
    expect(told(outcome, 'c')).toEqual(['blocking proprietary_node']);
    expect(flowOf(outcome).steps['c']?.['parameters']).toEqual({ text: 'hi' });
    expect(told(outcome, 'd')).toEqual(['manual version_assumed']);
    expect(told(outcome, 'e')).toEqual(['blocking proprietary_node']);
    expect(told(outcome, 'f')).toEqual([]);
  });

  it('names the credentials of its steps, to be bound once each', () => {
    const credentials = { httpHeaderAuth: { id: '7', name: 'Desk key' } };
    const outcome = convert({
      t: trigger,
      a: { more: { credentials }, to: [['b']] },
      b: { more: { credentials } },
    });
    const { steps } = flowOf(outcome);
    expect(steps['a']?.['credentials']).toEqual({ httpHeaderAuth: 'Desk key' });
    expect(told(outcome, 'a')).toEqual(['manual carried_as']);
    expect(told(outcome, 'b')).toEqual([]);
    expect(outcome.suggestions).toHaveLength(1);
  });

  it('holds no secret of the source, and keeps where one is found', () => {
    const secret = 'Zt8vQ2rL5xW1nB7k';
    const outcome = convert({
      t: trigger,
      a: {
        type: `${BASE}code`,
        version: 2,
        parameters: {
          apiKey: secret,
          password: '={{ $json.password }}',
          jsCode: `const key = "${secret}"; return [];`,
        },
      },
    });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(flowOf(outcome).steps['a']?.['parameters']).toMatchObject({
      password: '={{ $json.password }}',
    });
    expect(told(outcome, 'a')).toContain('blocking inline_secret');
  });

  it('tells a placeholder where a credential belongs, and carries it', () => {
    const list = (value: string): object => ({
      parameters: { list: [{ name: 'Authorization', value }] },
    });
    for (const text of [
      'Bearer YOUR_TOKEN_HERE',
      '<your app password here>',
      'Bearer 你的应用Token',
    ]) {
      const outcome = convert({ t: trigger, a: list(text) });
      expect(told(outcome, 'a')).toEqual(['manual carried_as']);
      expect(JSON.stringify(flowOf(outcome))).toContain(text);
    }
    for (const text of ['your-cat-is-nice', 'myTokenPassword', 'apiKey', 'YOUR_TOKEN_8f3']) {
      const outcome = convert({ t: trigger, a: list(text) });
      expect(told(outcome, 'a')).toEqual(['blocking inline_secret']);
      expect(JSON.stringify(outcome)).not.toContain(text);
    }
  });

  it('is none where agents and people are all that runs', () => {
    const outcome = analysisOf(
      textOf({ t: trigger, a: { type: AGENT, version: 1.6, to: [['b']] }, b: { type: AGENT } }),
    );
    expect(isItemFlow(outcome)).toBe(false);
  });

  it('is one where items are pinned in the place of what an agent would say', () => {
    const agents = { t: trigger, a: { type: AGENT, version: 1.6 } };
    const pins = (pinData: object) => isItemFlow(analysisOf(textOf(agents, { pinData })));
    expect(pins({ a: [{ output: 'said' }] })).toBe(true);
    expect([pins({ t: [{}] }), pins({ a: [] }), pins({ gone: [{}] })]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('is one where steps that run here stand beside what the trigger leads to', () => {
    const beside = convert({
      t: trigger,
      a: { type: AGENT, version: 1.6 },
      b: { to: [['c']] },
      c: {},
    });
    expect(isItemFlow(beside)).toBe(true);
    expect(told(beside, 'b')).toEqual(['manual carried_as']);
  });

  it('is one where the trigger has a handler and no other step has', () => {
    const held = convert({ t: trigger, a: { type: `${BASE}slack` } });
    expect(isItemFlow(held)).toBe(true);
    expect(told(held, 'a')).toEqual(['blocking proprietary_node']);
  });

  it('is one where only a trigger stands, which gives its items', () => {
    const alone = convert({ t: { ...trigger, to: [] } });
    expect(alone.spec['workflow']).toMatchObject({ start: 't', edges: [] });
    expect(alone.gaps.map(({ severity }) => severity)).toEqual(['info', 'info']);
  });

  it('begins at the trigger where no connection can be used, and tells that once', () => {
    const loose = convert({ t: { ...trigger, to: [] }, a: { to: [] }, b: { to: [] } });
    expect(loose.spec['workflow']).toMatchObject({ start: 't', nodes: { a: {}, b: {} } });
    expect(told(loose, 'connections')).toEqual(['blocking source_cannot_run']);
    expect(told(loose, 'a')).toEqual([]);
  });
});

describe('what the source does besides', () => {
  const conditions = { conditions: [], combinator: 'and', options: {} };

  it('is told of conditions that it does not take for any', () => {
    const made = convert({
      t: trigger,
      a: { type: `${BASE}if`, version: 2.2, to: [['b']] },
      b: { type: `${BASE}if`, version: 2.2, parameters: { conditions }, to: [['c']] },
      c: { type: `${BASE}if`, version: 1, to: [['d']] },
      d: {
        type: `${BASE}switch`,
        version: 3.2,
        parameters: { rules: { values: [{ conditions }, {}] } },
      },
    });
    const names = ['a', 'b', 'c', 'd'];
    expect(names.filter((name) => told(made, name).includes('manual carried_as'))).toEqual([
      'a',
      'd',
    ]);
  });

  it('is told of items that it changes where they stand, and of an address that is empty', () => {
    const made = convert({
      t: { ...trigger, to: [['a', 'b']] },
      a: { to: [['x']] },
      b: { to: [['x#1']] },
      x: {
        type: `${BASE}compareDatasets`,
        version: 2.3,
        parameters: { resolve: 'mix', preferWhenMix: 'input2' },
        to: [['y']],
      },
      y: { parameters: { note: ['={{ $execution.resumeUrl }}'] } },
    });
    expect(told(made, 'a')).toEqual([]);
    expect(told(made, 'b')).toEqual(['manual carried_as']);
    expect(told(made, 'y')).toEqual(['manual carried_as']);
  });

  it('is told of settings with which it begins no run, where a trigger leads to them', () => {
    const raw = (jsonOutput: string): Made => ({ parameters: { mode: 'raw', jsonOutput } });
    const request = { type: `${BASE}httpRequest`, version: 4.2 };
    const made = convert({
      t: { ...trigger, to: [['a', 'b', 'c', 'd', 'e', 'f', 'h']] },
      a: raw('[1]'),
      b: raw('{"a": 1}'),
      c: raw('={{ [] }}'),
      d: { parameters: { mode: 'raw' } },
      e: { ...raw('{'), more: { disabled: true } },
      f: { ...raw('{'), version: 2 },
      g: raw('{'),
      h: { ...request, parameters: { url: '' } },
      i: request,
    });
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const refused = 'blocking source_cannot_run';
    expect(names.filter((name) => told(made, name).includes(refused))).toEqual(['a', 'h']);
    const alone = convert({ a: { ...raw('{'), to: [['b']] }, b: {} });
    expect(told(alone, 'a')).toContain(refused);
  });
});
