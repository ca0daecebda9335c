import { describe, expect, it } from 'vitest';
import { completionsAt } from '../completion.ts';
import { hoverAt } from '../hover.ts';
import { openDocument } from '../open-document.ts';

// Drafts that say less, or other things, than an import writes.

interface Draft {
  readonly nodes?: Record<string, unknown>;
  readonly edges?: unknown;
  readonly steps?: unknown;
  readonly metadata?: Record<string, unknown>;
}

const node = (key: string) => ({ id: key, kind: 'function', ref: 'code' });

function draft({ nodes = { a: node('a'), b: node('b') }, edges = [], ...more }: Draft): string {
  const { steps = {}, metadata = { flow: { source: 'n8n', order: 'v1', steps } } } = more;
  return JSON.stringify({
    version: 'v1',
    agent: { name: 'desk' },
    workflow: { type: 'graph', start: 'a', nodes, edges },
    components: { functions: { code: { implementation: 'n8n.code' } } },
    metadata,
  });
}

function told(text: string): string[] {
  return openDocument(text)
    .findings()
    .filter(({ code }) => code.startsWith('W_FLOW'))
    .map(({ code, path, message }) => `${code} ${path}: ${message}`);
}

const step = (type: string, more: Record<string, unknown> = {}) => ({
  name: type,
  type: `n8n-nodes-base.${type}`,
  version: 1,
  parameters: {},
  ...more,
});

describe('the settings of an imported flow', () => {
  it('are not looked at where there are none', () => {
    expect(told(draft({ metadata: { note: 'mine' } }))).toEqual([]);
  });

  it('of a tool are looked at without a flow too', () => {
    const tools = {
      find: { name: 'Find', type: 'n8n-nodes-base.merge', version: 3, parameters: { moed: 1 } },
    };
    expect(told(draft({ metadata: { tools } }))).toEqual([
      'W_FLOW_SETTING metadata.tools.find.parameters.moed: The step reads no setting "moed".',
    ]);
    expect(told(draft({ metadata: { tools: { find: { name: 5 } } } }))[0]).toContain(
      'W_FLOW_SETTINGS metadata.tools.find.name: Cannot be built:',
    );
  });

  it('say the outputs of a step that has a single one, and of one that has several', () => {
    const steps = { a: step('set'), b: step('if', { inputs: [[{ step: 'a', output: 3 }]] }) };
    const condition = { type: 'metadata_equals', key: 'output_4', value: true };
    const edges = [{ from: 'b', to: 'a', condition }];
    expect(told(draft({ steps, edges }))).toEqual([
      'W_FLOW_OUTPUT metadata.flow.steps.b.inputs[0][0].output: "a" has no output 3; it has one output (0).',
      'W_FLOW_OUTPUT workflow.edges[0].condition.key: "b" has no output 4; it has 2 outputs (0 to 1).',
    ]);
  });

  it('that have no known form are told once, and nothing is guessed of them', () => {
    const forms = (inputs: unknown) =>
      told(draft({ steps: { a: step('set', { inputs }), b: step('set') } }));
    const place = 'W_FLOW_SETTINGS metadata.flow.steps.a.inputs';
    expect(forms(7)).toMatchObject([expect.stringContaining(`${place}: Cannot`)]);
    expect(forms([7])).toMatchObject([expect.stringContaining(`${place}[0]: Cannot`)]);
    expect(forms([[{ step: 5, output: 0 }]])).toMatchObject([
      expect.stringContaining(`${place}[0][0].step: Cannot`),
    ]);
    expect(forms([[{ step: 'b', output: 'first' }]])).toMatchObject([
      expect.stringContaining(`${place}[0][0].output: Cannot`),
    ]);
    expect(told(draft({ steps: { a: 7, b: step('set') } }))[0]).toContain(
      'W_FLOW_SETTINGS metadata.flow.steps.a: Cannot be built',
    );
  });

  it('ask nothing of edges that name no output', () => {
    const conditions = [
      { type: 'metadata_equals', value: true },
      { type: 'metadata_equals', key: 5, value: true },
      { type: 'output_contains', value: 'x' },
    ];
    const edges = conditions.map((condition) => ({ from: 'a', to: 'b', condition }));
    expect(told(draft({ steps: { a: step('set') }, edges }))).toEqual([]);
    expect(told(draft({ steps: { a: step('set') }, edges: 'none' }))).toEqual([]);
  });

  it('leave alone what is far from any name that is known', () => {
    const steps = {
      a: step('merge', { version: 3, parameters: { entirelyOwnThing: 1, mode: 'whateverElse' } }),
      b: step('set', { inputs: [[{ step: 'zzzzzzzz', output: 0 }]] }),
    };
    expect(told(draft({ steps }))).toEqual([
      'W_FLOW_STEP metadata.flow.steps.b.inputs[0][0].step: The graph has no step "zzzzzzzz".',
    ]);
  });

  it('are read in lists, in code and in prompts', () => {
    const steps = {
      a: step('set', { parameters: { values: ["={{ $('nobody at all').item }}", 5, 'plain'] } }),
      b: step('code', { version: 2, parameters: { jsCode: "return $('st').all()" } }),
    };
    expect(told(draft({ steps }))).toEqual([
      'W_FLOW_REFERENCE metadata.flow.steps.a.parameters.values[0]: No step of the flow is called "nobody at all".',
      'W_FLOW_REFERENCE metadata.flow.steps.b.parameters.jsCode: No step of the flow is called "st".',
    ]);
    const asking = (prompt: string) =>
      told(draft({ steps: { a: step('set', { prompt }), b: step('set') } }));
    expect(asking('={{ 1 + }}')[0]).toContain(
      'W_FLOW_EXPRESSION metadata.flow.steps.a.prompt: The expression cannot be read',
    );
    expect(asking('{{ 1 + }}')).toEqual([]);
  });

  it('name no step where no step has a name', () => {
    const nameless = { type: 'n8n-nodes-base.set', parameters: { text: "={{ $('any').item }}" } };
    const found = told(draft({ steps: { a: nameless, b: nameless } }));
    expect(found.filter((one) => one.startsWith('W_FLOW_REFERENCE'))).toEqual([]);
  });

  it('offer no change of a text that is too long to be written anew', () => {
    const fixes = (padding: string) => {
      const text = `={{ $('stp').item }}${padding}`;
      const steps = { a: step('set', { name: 'step', parameters: { text } }) };
      return openDocument(draft({ nodes: { a: node('a') }, steps }))
        .findings()
        .filter(({ code }) => code === 'W_FLOW_REFERENCE')
        .map(({ suggestion }) => suggestion);
    };
    expect(fixes('')).toEqual(['Did you mean "step"?']);
    expect(fixes('x'.repeat(500))).toEqual([null]);
  });
});

const WRITTEN = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: a
  nodes:
    a: {id: a, kind: function, ref: a}
  edges: []
components:
  functions:
    a: {implementation: n8n.merge}
tools:
  find: {description: Find., implementation: n8n.merge}
metadata:
  flow:
    source: n8n
    order: v1
    steps:
      a:
        name: Join
        type: n8n-nodes-base.merge
        retry:
          tries: 3
        parameters:
          mode: append
  tools:
    find:
      name: Find
      type: n8n-nodes-base.merge
      version: 3
      parameters:
        mode: append
`;

function offered(text: string): string[] {
  const offset = text.indexOf('|');
  const document = openDocument(text.slice(0, offset) + text.slice(offset + 1));
  return completionsAt(document, offset).map(({ label }) => label);
}

describe('help in an imported flow', () => {
  it('offers how often a step is tried, and what a tool has', () => {
    expect(offered(WRITTEN.replace('tries: 3\n', 'tries: 3\n          |\n'))).toContain('wait_ms');
    expect(offered(WRITTEN.replace(/append\n$/, 'append\n        |\n'))).toContain('combineBy');
    expect(offered(WRITTEN.replace('      version: 3\n', '      |\n'))).toContain('version');
  });

  it('offers the steps of the graph that nothing is said of yet', () => {
    const bare = WRITTEN.replace(/ {6}a:\n {8}name: Join[\s\S]*$/, '      |\n');
    expect(offered(bare)).toEqual(['a']);
    expect(offered(bare.replace(/ {2}nodes:\n.*\n/, '  nodes: []\n'))).toEqual([]);
  });

  it('says whose a setting is, also where no version is written', () => {
    const said = hoverAt(openDocument(WRITTEN), WRITTEN.indexOf('mode: append') + 1)?.markdown;
    expect(said).toContain('In the source: "Join" (n8n-nodes-base.merge).');
  });
});
