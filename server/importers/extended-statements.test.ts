import { describe, expect, it, vi } from 'vitest';
import { n8nExport, n8nNode as node, type SampleNode } from '../../test/support/n8n-export.ts';
import type { Analysis, Gap } from './analysis.ts';
import { analyze } from './analyze.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).NO_STEP_TYPES,
);
vi.mock('../items/dify-types.ts', async (original) => ({
  ...(await original<typeof import('../items/dify-types.ts')>()),
  DIFY_STEP_TYPES: [],
}));

function convert(nodes: readonly SampleNode[], wires: string): Analysis {
  const outcome = analyze({ source: 'n8n', raw: n8nExport(nodes, wires), conversion: 'extended' });
  if (!outcome.ok) throw new Error(`refused: ${outcome.code} ${outcome.message}`);
  return outcome;
}

function gapsOf(outcome: Analysis, id: string): Gap[] {
  return outcome.gaps.filter((gap) => gap.source_ref.source_id === id);
}

/** What is said about one element, each sentence after the severity of its gap. */
function said(outcome: Analysis, id: string): string {
  return gapsOf(outcome, id)
    .map((gap) => `${gap.severity}: ${gap.detail}`)
    .join('\n');
}

function components(outcome: Analysis, section: string): Record<string, unknown> {
  const all = outcome.spec['components'] as Record<string, Record<string, unknown>> | undefined;
  return all?.[section] ?? {};
}

function edgesOf({ spec }: Analysis): string[] {
  const { edges } = spec['workflow'] as { edges: { from: string; to: string; label?: string }[] };
  return edges.map(({ from, to, label }) => `${from}>${to} ${label ?? ''}`.trim());
}

const T = node('T', 'manualTrigger');
const A = node('A', 'slack');
const B = node('B', 'slack');
const C = node('C', 'slack');

describe('a switch whose rules cannot be read (importers 14)', () => {
  it.each<[string, object, number]>([
    ['no parameters at all', {}, 3],
    ['an empty list of rules', { rules: { values: [] } }, 3.2],
    ['a fallback only', { rules: { values: [] }, options: { fallbackOutput: 'extra' } }, 3],
    ['rules of another shape', { rules: [] }, 3],
    ['no rules, version 2', {}, 2],
  ])('keeps its wired outputs: %s', (_what, parameters, typeVersion) => {
    const x = node('X', 'switch', parameters, { typeVersion });
    const outcome = convert([T, A, B, C, x], 'T>A A>X X>B X:1>C');
    expect(edgesOf(outcome)).toEqual(['a>b 0', 'a>c 1']);
    expect(said(outcome, 'x')).toContain('blocking:');
    const all = outcome.gaps.map((gap) => gap.detail).join(' ');
    expect(all).not.toMatch(/never used|never ran/);
  });
});

describe('outputs of one element that lead over another', () => {
  it('keep a way each', () => {
    const x = node('X', 'if', {}, { typeVersion: 2 });
    const outcome = convert([T, A, B, x, node('N', 'noOp')], 'T>A A>X X>N X:1>N N>B');
    expect(edgesOf(outcome)).toEqual(['a>b 0', 'a>b 1']);
  });

  it('what runs once for each of several ways is told', () => {
    const nodes = [T, A, B, node('N', 'noOp'), node('O', 'noOp'), node('P', 'noOp')];
    const outcome = convert(nodes, 'T>A A>N A>O N>P O>P P>B');
    expect(said(outcome, 'a')).toContain('"A" sends its result to "B" at once in several ways');
  });
});

describe('elements that answer, end or stop', () => {
  it.each<[string, string, object, string]>([
    [
      'a webhook is answered with JSON and a status',
      'respondToWebhook',
      { respondWith: 'json', responseBody: '={{ $json.x }}', options: { responseCode: 404 } },
      'with the JSON "{{ $json.x }}" and the status 404',
    ],
    ['the answer by default', 'respondToWebhook', {}, 'with the first item that it gets'],
    [
      'a redirect',
      'respondToWebhook',
      { respondWith: 'redirect', redirectURL: 'https://example.test' },
      'with a redirect to "https://example.test"',
    ],
    [
      'a form ends',
      'form',
      { operation: 'completion', completionTitle: 'Thanks', completionMessage: 'Bye' },
      'ends the form and shows "Thanks" and "Bye"',
    ],
    [
      'a chat message',
      'lc:chat',
      { waitUserReply: false, message: 'Hello' },
      'sends "Hello" to the chat and goes on',
    ],
  ])('%s: says what it does', (_what, type, parameters, words) => {
    const outcome = convert([T, A, node('R', type, parameters)], 'T>A A>R');
    expect(said(outcome, 'r')).toContain(words);
    expect(said(outcome, 'r')).toMatch(/^manual: /);
    expect(said(outcome, 'r')).not.toContain('changes nothing');
  });

  it.each(['respondToWebhook', 'stopAndError', 'noOp'])('%s that nothing leads to', (type) => {
    const outcome = convert([T, A, node('R', type)], 'T>A');
    expect(said(outcome, 'r')).toMatch(/^info: Nothing leads to "R" in the source/);
  });

  it('an element that does nothing says so', () => {
    expect(said(convert([T, A, node('R', 'noOp')], 'T>A A>R'), 'r')).toContain(
      'changes nothing on the way',
    );
  });

  it('a stop names its error; one that goes on after a failure is passed', () => {
    const stop = (more: object): SampleNode =>
      node('S', 'stopAndError', { errorMessage: 'No' }, more);
    const ends = convert([T, A, B, stop({})], 'T>A A>S S>B');
    expect(said(ends, 's')).toContain(
      'with the error "No" in the source; in the draft the path ends',
    );
    const passes = convert([T, A, B, stop({ onError: 'continueRegularOutput' })], 'T>A A>S S>B');
    expect(passes.spec['workflow']).toMatchObject({ steps: [{ id: 'a' }, { id: 'b' }] });
    expect(said(passes, 's')).toContain('the flow passes it');
  });
});

describe('models', () => {
  const M = node('M', 'lc:lmChatOpenAi', { model: 'gpt' });

  it.each<[string, SampleNode, SampleNode, string, string]>([
    ['an agent', node('P', 'lc:agent'), M, 'T>P', 'is in the draft as the model of "P"'],
    [
      'an agent that names its own',
      node('P', 'lc:agent', { model: 'own' }),
      M,
      'T>P',
      'is not the model that the element names itself',
    ],
    [
      'a model without a name',
      node('P', 'lc:agent'),
      node('M', 'lc:lmChatOpenAi'),
      'T>P',
      'names no model that can be read from the file',
    ],
    [
      'what is no agent of the draft',
      node('P', 'lc:toolVectorStore'),
      M,
      'P-ai_tool>A',
      'works for an element that is no agent of the draft',
    ],
    [
      'what is switched off',
      node('P', 'lc:agent', {}, { disabled: true }),
      M,
      'T>P',
      'works for an element that is no agent of the draft',
    ],
  ])('of %s: the gap says where it is', (_what, parent, model, wires, words) => {
    const outcome = convert(
      [T, node('A', 'lc:agent'), parent, model],
      `${wires} M-ai_languageModel>P`,
    );
    expect(said(outcome, 'm')).toContain(words);
  });

  it('on the flow: its connections are told, the file is read', () => {
    const nodes = [T, node('P', 'lc:agent'), M, B];
    const outcome = convert(nodes, 'T>P M-ai_languageModel>P P>M M>B');
    expect(said(outcome, 'm')).toContain('a model is no step');
  });
});

describe('classifiers', () => {
  const wires = 'T>S S>A S:1>B';
  const conditions = (outcome: Analysis): unknown[] => {
    const { edges } = outcome.spec['workflow'] as { edges: { condition?: { value?: string } }[] };
    return edges.map((edge) => edge.condition?.value);
  };

  it('a sentiment is one of the categories that the author wrote', () => {
    const options = { categories: 'Good, Bad' };
    const outcome = convert([T, A, B, node('S', 'lc:sentimentAnalysis', { options })], wires);
    expect(conditions(outcome)).toEqual(['Good', 'Bad']);
    expect(said(outcome, 's')).toContain('sorts into "Good", "Bad"');
    expect(JSON.stringify(components(outcome, 'agents'))).toContain('only: Good, Bad.');
  });

  it('without categories there are three', () => {
    const outcome = convert([T, A, B, node('S', 'lc:sentimentAnalysis')], wires);
    expect(conditions(outcome)).toEqual(['Positive', 'Neutral']);
  });

  it.each<[string, string, object]>([
    ['sentiments', 'lc:sentimentAnalysis', { options: { categories: '={{ $json.c }}' } }],
    ['classes', 'lc:textClassifier', {}],
    [
      'one class',
      'lc:textClassifier',
      { categories: { categories: [{ category: '={{ 1 }}' }, { category: 'b' }] } },
    ],
  ])('%s that the file does not tell: the outputs stay, without condition', (_what, type, more) => {
    const outcome = convert([T, A, B, node('S', type, more)], wires);
    expect(edgesOf(outcome).sort()).toEqual(['s>a 0', 's>b 1']);
    expect(said(outcome, 's')).toContain('blocking: "S" sorts into');
  });

  it('several classes at once are told', () => {
    const parameters = {
      categories: { categories: [{ category: 'a' }, { category: 'b' }] },
      options: { multiClass: true },
    };
    const outcome = convert([T, A, B, node('S', 'lc:textClassifier', parameters)], wires);
    expect(said(outcome, 's')).toContain('In the source a text may belong to several');
  });
});

describe('waits', () => {
  it.each<[string, object, number, number]>([
    ['without an amount', {}, 1.1, 5],
    ['without an amount, before version 1.1', {}, 1, 3600],
    ['an amount without a unit', { amount: 7 }, 1.1, 7],
    ['an amount as a text', { amount: '2', unit: 'minutes' }, 1.1, 120],
    ['for a call, with a limit', { resume: 'webhook', limitWaitTime: true }, 1.1, 3600],
  ])('%s: as long as in the source', (_what, parameters, typeVersion, seconds) => {
    const outcome = convert([T, A, node('W', 'wait', parameters, { typeVersion })], 'T>W W>A');
    expect(components(outcome, 'humans')).toMatchObject({ w: { timeout_seconds: seconds } });
    expect(said(outcome, 'w')).toContain(`${seconds} s`);
  });

  it.each<[string, object]>([
    ['an amount', { amount: '={{ $json.n }}' }],
    ['a unit', { amount: 1, unit: '={{ $json.u }}' }],
    ['a moment', { resume: 'specificTime', dateTime: '={{ $now }}' }],
    ['the kind of wait', { resume: '={{ $json.k }}' }],
  ])('%s that the source computes needs a function, not an approval', (_what, parameters) => {
    const wait = node('W', 'wait', parameters, { typeVersion: 1.1 });
    const outcome = convert([T, A, wait], 'T>W W>A');
    expect(components(outcome, 'humans')).toEqual({});
    expect(components(outcome, 'functions')).toHaveProperty('w');
    expect(said(outcome, 'w')).toMatch(/^blocking: .*only the source can tell/);
  });
});

describe('run-time settings', () => {
  it.each<[string, object, string]>([
    ['onError', { onError: 'continueRegularOutput' }, 'the step goes on after a failure.'],
    [
      'an error output that leads nowhere',
      { onError: 'continueErrorOutput' },
      'the step goes on after a failure as if there was none.',
    ],
    ['retries', { retryOnFail: true }, 'retries come without a pause.'],
    ['alwaysOutputData', { alwaysOutputData: true }, 'a step always passes something on.'],
    ['executeOnce', { executeOnce: true }, 'a step runs once for each arrival.'],
  ])('%s: what the draft does in its place', (_what, more, words) => {
    const outcome = convert([T, node('R', 'slack', {}, more)], 'T>R');
    expect(said(outcome, 'r')).toContain(`In the draft ${words}`);
  });
});

describe('a workflow that stands inside of an element', () => {
  const workflowJson = JSON.stringify({ nodes: [{ name: 'In' }, { name: 'Out' }] });
  const inside = { source: 'parameter', workflowJson };

  it('of a tool, and of a call: the gap names what is in it', () => {
    const nodes = [
      T,
      node('A', 'lc:agent'),
      node('W', 'lc:toolWorkflow', inside),
      node('X', 'executeWorkflow', inside),
    ];
    const outcome = convert(nodes, 'T>A A>X W-ai_tool>A');
    for (const id of ['w', 'x']) {
      expect(said(outcome, id)).toMatch(/^blocking: /);
      expect(said(outcome, id)).toContain('written inside of it (2 elements: "In", "Out")');
      expect(said(outcome, id)).toContain('Save the inner workflow as a file of its own');
    }
  });
});

describe('files without usable connections', () => {
  it('have one gap that says so, and all steps to draw edges between', () => {
    const nodes = [T, ...Array.from({ length: 300 }, (_, i) => node(`S${i}`, 'slack'))];
    const connections = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`gone ${i}`, { main: [[{ node: `S${i}` }]] }]),
    );
    const raw = n8nExport(nodes, '', { connections });
    const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
    if (!outcome.ok) throw new Error(outcome.code);
    const others = outcome.gaps.filter((gap) => gap.kind !== 'proprietary_node');
    expect(others.map((gap) => gap.gap_id)).toEqual([
      'source_repaired:connections',
      'entry_mechanism_not_carried:t',
      'source_cannot_run:connections',
    ]);
    const { nodes: steps, edges } = outcome.spec['workflow'] as { nodes: object; edges: [] };
    expect(Object.keys(steps)).toHaveLength(300);
    expect(edges).toEqual([]);
  });
});

describe('Dify', () => {
  function app(nodes: readonly object[], edges: readonly object[]): Analysis {
    const graph = { nodes: nodes.map((data, i) => ({ id: `n${i}`, data })), edges };
    const raw = JSON.stringify({ app: { mode: 'workflow', name: 'App' }, workflow: { graph } });
    const outcome = analyze({ source: 'dify', raw, conversion: 'extended' });
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome;
  }
  const llm = { type: 'llm', model: { provider: 'openai', name: 'g' } };

  it('the buttons of a question to a person are outputs of their own', () => {
    const ask = {
      type: 'human-input',
      title: 'Ask',
      user_actions: [
        { id: 'yes', title: 'Send it' },
        { id: 'no', title: 'Drop it' },
      ],
    };
    const outcome = app(
      [{ type: 'start', title: 'S' }, ask, { ...llm, title: 'P' }, { ...llm, title: 'Q' }],
      [
        { source: 'n0', target: 'n1' },
        { source: 'n1', target: 'n2', sourceHandle: 'yes' },
        { source: 'n1', target: 'n3', sourceHandle: 'no' },
      ],
    );
    expect(edgesOf(outcome)).toEqual(['ask>p yes', 'ask>q no']);
    expect(said(outcome, 'n1')).toContain('decides where the flow goes ("Send it", "Drop it")');
  });

  it.each<[string, object, boolean, string]>([
    ['a wired failure', { error_strategy: 'fail-branch' }, true, 'condition that the step failed'],
    ['an unwired failure', { error_strategy: 'fail-branch' }, false, 'as if there was none'],
    ['retries', { retry_config: { retry_enabled: true, max_retries: 3 } }, false, 'up to 3 times'],
  ])('%s: says what the step does', (_what, more, isWired, words) => {
    const failing = { source: 'n1', target: 'n2', sourceHandle: 'fail-branch' };
    const outcome = app(
      [
        { type: 'start', title: 'S' },
        { ...llm, title: 'P', ...more },
        { ...llm, title: 'Q' },
      ],
      [
        { source: 'n0', target: 'n1' },
        { source: 'n1', target: 'n2' },
        ...(isWired ? [failing] : []),
      ],
    );
    expect(said(outcome, 'n1')).toContain(words);
    expect(said(outcome, 'n1')).not.toContain('ordinary edge');
  });

  it('a step without a model is a gap', () => {
    const outcome = app(
      [
        { type: 'start', title: 'S' },
        { type: 'llm', title: 'P' },
      ],
      [{ source: 'n0', target: 'n1' }],
    );
    expect(said(outcome, 'n1')).toContain('The model of "P" is missing');
  });
});

describe('a secret in a note', () => {
  it('is left out of what names it elsewhere', () => {
    const secret = 'Qz7!kP4#vT9$wR2x';
    const note = node('N', 'stickyNote', { content: `password: ${secret}`, apiKey: secret });
    const asks = node('P', 'lc:agent', { options: { systemMessage: `say ${secret}` } });
    expect(JSON.stringify(convert([T, note, asks], 'T>P'))).not.toContain(secret);
  });
});
