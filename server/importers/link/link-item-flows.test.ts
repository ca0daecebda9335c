import { describe, expect, it, vi } from 'vitest';
import { loadSpec } from '../../spec/load/load-spec.ts';
import { validateSpec } from '../../spec/rules/validate.ts';
import type { Analysis } from '../analysis.ts';
import { AGENT, analysisOf, BASE, type Made, textOf, trigger } from '../testing/item-exports.ts';
import { linkWorkflows } from './link-workflows.ts';

vi.mock(
  '../../items/n8n-types.ts',
  async () => (await import('../testing/step-types.ts')).SOME_STEP_TYPES,
);

const CALL = `${BASE}executeWorkflow`;
const begin: Made = { type: `${BASE}executeWorkflowTrigger`, version: 1.1, to: [['inner']] };

function call(parameters: object): Record<string, Made> {
  return { t: trigger, a: { type: CALL, version: 1.2, parameters } };
}

const byId = (value: string) => call({ workflowId: { __rl: true, mode: 'id', value } });
const inside = (text: string) => call({ source: 'parameter', workflowJson: text });

function linked(
  caller: Record<string, Made>,
  called: Readonly<Record<string, Made>>,
  id = 'b',
): Analysis {
  const files = [analysisOf(textOf(caller)), analysisOf(textOf(called, { id, name: 'Called' }))];
  const [first] = linkWorkflows(files.map((analysis, at) => ({ file: `${at}.json`, analysis })));
  if (first === undefined) throw new Error('nothing was linked');
  return first.analysis;
}

function errorsOf({ spec }: Analysis): unknown[] {
  const loaded = loadSpec({ base: spec });
  const findings = loaded.spec === undefined ? loaded.diagnostics : validateSpec(loaded.spec);
  return findings.filter(({ severity }) => severity === 'error');
}

const told = ({ gaps }: Analysis, label: string) =>
  gaps
    .filter(({ source_ref }) => source_ref.source_label === label)
    .map(({ severity, kind }) => `${severity} ${kind}`);

describe('a flow of items that calls another workflow', () => {
  it('has a step that fails until the called one is there, and says what to import', () => {
    const alone = analysisOf(textOf(byId('b')));
    expect(alone.spec['components']).toMatchObject({
      functions: { a: { implementation: 'n8n.executeWorkflow' } },
    });
    expect(told(alone, 'a')).toEqual(['blocking subworkflow']);
    expect(errorsOf(alone)).toEqual([]);
    const detail = (parameters: object) =>
      analysisOf(textOf(call(parameters))).gaps.find(({ kind }) => kind === 'subworkflow')?.detail;
    expect(detail({ workflowId: '={{ $json.id }}' })).toContain('an expression chooses it');
    expect(detail({ source: 'url', workflowUrl: 'https://x.example/a.json' })).toContain(
      'by its name',
    );
    expect(detail({ source: 'parameter', workflowJson: '={{ $json }}' })).toContain('as it is');
    expect(detail({ workflowId: 'b' })).toContain('finds it by its id');
  });

  it('gets it as a component that is a flow of items itself', () => {
    const made = linked(byId('b'), { begin, inner: { parameters: { mode: 'raw' } } });
    expect(made.spec).toMatchObject({
      workflow: { nodes: { a: { kind: 'workflow', ref: 'a' } } },
      components: {
        workflows: { a: { type: 'graph', nodes: { inner: { kind: 'function', ref: 'a_inner' } } } },
        functions: { a_inner: { implementation: 'n8n.set' } },
      },
      metadata: {
        flow: { steps: { a: { type: CALL } } },
        flows: { a: { name: 'Called', steps: { inner: { parameters: { mode: 'raw' } } } } },
      },
    });
    expect([told(made, 'a'), errorsOf(made)]).toEqual([['manual carried_as'], []]);
  });

  it('gets one that calls a further one, and one of texts', () => {
    const deep = {
      begin,
      inner: {
        type: CALL,
        version: 1.2,
        parameters: { source: 'parameter', workflowJson: textOf({ begin, inner: {} }) },
      },
    };
    const made = linked(byId('b'), deep);
    expect(made.spec['metadata']).toMatchObject({ flows: { a: {}, a_inner: {} } });
    const texts = linked(byId('b'), { begin, inner: { type: AGENT, version: 1.6 } });
    expect(texts.spec['components']).toMatchObject({
      workflows: { a: { steps: [{ kind: 'agent' }] } },
    });
    expect([errorsOf(made), errorsOf(texts)]).toEqual([[], []]);
  });

  it('keeps apart names that both have', () => {
    const both = {
      ...byId('b'),
      a: { ...byId('b')['a'], to: [['z']] },
      z: { type: CALL, version: 1.2, parameters: { workflowId: 'b' } },
    };
    const made = linked(both, { begin, inner: {} });
    expect(Object.keys(made.spec['metadata'] as object)).toContain('flows');
    expect(errorsOf(made)).toEqual([]);
    expect(made.spec['components']).toMatchObject({ workflows: { a: {}, z: {} } });
  });

  it('is offered to an agent as a tool', () => {
    const tool = { type: '@n8n/n8n-nodes-langchain.toolWorkflow', parameters: { workflowId: 'b' } };
    const raw = JSON.parse(textOf({ t: trigger, a: { type: AGENT, version: 1.6 }, look: tool }));
    raw.connections.look = { ai_tool: [[{ node: 'a', type: 'ai_tool', index: 0 }]] };
    const caller = analysisOf(JSON.stringify(raw));
    const called = analysisOf(textOf({ begin, inner: {} }, { id: 'b', name: 'Called' }));
    const [first] = linkWorkflows(
      [caller, called].map((analysis, at) => ({ file: `${at}`, analysis })),
    );
    expect(first?.analysis.spec['metadata']).toMatchObject({
      flows: { look: { steps: { inner: {} } } },
    });
    expect(first === undefined ? ['none'] : errorsOf(first.analysis)).toEqual([]);
  });
});

describe('a workflow that is written inside of the step that calls it', () => {
  it('comes into the draft with what is told of it', () => {
    const made = analysisOf(
      textOf(inside(textOf({ begin, inner: { to: [['post']] }, post: { type: `${BASE}slack` } }))),
    );
    expect(made.spec).toMatchObject({
      workflow: { nodes: { a: { kind: 'workflow', ref: 'a' } } },
      metadata: { flows: { a: { steps: { begin: {} } } } },
    });
    expect(told(made, 'a')).toEqual(['info carried_as']);
    expect(told(made, 'post')).toEqual(['blocking proprietary_node']);
    expect([made.calls, errorsOf(made)]).toEqual([[], []]);
    expect(new Set(made.gaps.map(({ gap_id }) => gap_id)).size).toBe(made.gaps.length);
    expect(made.spec_yaml).not.toContain('workflowJson');
  });

  it('stays a gap where it is none, waits for a person, or has no steps', () => {
    const reason = (text: string) =>
      analysisOf(textOf(inside(text))).gaps.find(({ kind }) => kind === 'subworkflow')?.detail;
    expect(reason('{"a": 1}')).toContain('cannot be read');
    expect(reason('{')).toContain('Write the workflow as it is');
    expect(reason('{"nodes": [], "connections": {}}')).toMatch(/no steps|cannot be read/);
    const asks = textOf({
      begin,
      inner: { type: `${BASE}slack`, parameters: { operation: 'sendAndWait' } },
    });
    expect(reason(asks)).toContain('waits for a person');
  });
});

describe('a tool of an agent in a flow of items that runs a workflow', () => {
  function offered(parameters: object): string {
    const tool = { type: '@n8n/n8n-nodes-langchain.toolWorkflow', parameters };
    const raw = JSON.parse(
      textOf({ t: trigger, a: { type: AGENT, version: 1.6, to: [['s']] }, s: {}, look: tool }),
    );
    raw.connections.look = { ai_tool: [[{ node: 'a', type: 'ai_tool', index: 0 }]] };
    return JSON.stringify(raw);
  }

  it('fails when it is called until that one is there: the flow runs', () => {
    const alone = analysisOf(offered({ workflowId: 'b' }));
    expect(alone.spec['components']).toMatchObject({
      workflows: { look: { steps: [{ kind: 'function', ref: 'look' }] } },
      functions: { look: { implementation: 'imported.look' } },
    });
    const called = analysisOf(textOf({ begin, inner: {} }, { id: 'b', name: 'Called' }));
    const files = [alone, called].map((analysis, at) => ({ file: `${at}`, analysis }));
    const components = linkWorkflows(files)[0]?.analysis.spec['components'];
    expect(components).toMatchObject({ workflows: { look: { start: 'begin' } } });
    expect(components).not.toMatchObject({ functions: { look: {} } });
  });

  it('has the one that is written inside of it', () => {
    const text = textOf({ begin, inner: {} });
    const made = analysisOf(offered({ source: 'parameter', workflowJson: text }));
    expect(made.spec['metadata']).toMatchObject({ flows: { look: { steps: { inner: {} } } } });
    expect([told(made, 'look')[0], errorsOf(made)]).toEqual(['info carried_as', []]);
  });
});
