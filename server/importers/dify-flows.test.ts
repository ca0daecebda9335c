import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSpec } from '../spec/load/load-spec.ts';
import { validateSpec } from '../spec/rules/validate.ts';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';
import { readYaml } from './read-yaml.ts';
import { ledgerFaults } from './testing/check-ledger.ts';
import { app, GPT, type Made, node } from './testing/dify-exports.ts';

const FOLDER = new URL('../../test/fixtures/dify-apps/', import.meta.url);

function extended(raw: string): Analysis {
  const outcome = analyze({ source: 'dify', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

function errorsIn({ spec }: Analysis): string[] {
  const loaded = loadSpec({ base: spec });
  const found = loaded.spec === undefined ? loaded.diagnostics : validateSpec(loaded.spec);
  return found.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

function blocking({ gaps }: Analysis): string[] {
  return gaps
    .filter(({ severity }) => severity === 'blocking')
    .map(({ kind, source_ref }) => `${kind} ${source_ref.source_label}`);
}

/** What of the apps nothing here can do. */
const TRUE_GAPS: Readonly<Record<string, readonly string[]>> = {
  'handbook-bot.yml': ['external_service Look up'],
  'search-the-web.yml': ['deterministic_tool Search'],
  'word-count-python.yml': ['proprietary_node Count'],
};

describe('an app as public ones are', () => {
  it.each(readdirSync(FOLDER))('%s becomes a flow whose gaps are true', (file) => {
    const raw = readFileSync(new URL(file, FOLDER), 'utf8');
    const analysis = extended(raw);
    expect(blocking(analysis)).toEqual(TRUE_GAPS[file] ?? []);
    expect(errorsIn(analysis)).toEqual([]);
    expect(ledgerFaults(readYaml(raw), analysis)).toEqual([]);
    expect(analysis.spec).toMatchObject({ metadata: { flow: { source: 'dify', order: 'dify' } } });
  });
});

const CHAT = { model: GPT, prompt_type: 'simple', user_input_form: [] };
const agent_mode = { enabled: true, strategy: 'function_call', max_iteration: 5, tools: [] };

function config(mode: string, more: object): string {
  return JSON.stringify({ app: { mode, name: 'App' }, model_config: { ...CHAT, ...more } });
}

describe('an app without a graph', () => {
  const user_input_form = [{ 'text-input': { label: 'City', variable: 'city', required: true } }];

  it.each(['chat', 'completion', 'agent-chat'])(
    'whose prompt has fields of its form: %s',
    (mode) => {
      const raw = config(mode, { user_input_form, agent_mode, pre_prompt: 'A guide to {{city}}.' });
      const analysis = extended(raw);
      expect(blocking(analysis)).toEqual([]);
      expect(errorsIn(analysis)).toEqual([]);
      expect(ledgerFaults(readYaml(raw), analysis)).toEqual([]);
      expect(JSON.stringify(analysis.spec)).toContain('A guide to {{#app.city#}}.');
    },
  );

  it('without them stays an agent', () => {
    const { spec } = extended(config('chat', { pre_prompt: 'Hello.' }));
    expect(spec).toMatchObject({ workflow: { type: 'sequential' } });
  });
});

describe('what is told of an app', () => {
  it('a placeholder where a credential belongs is none; a credential is', () => {
    const ask = (api_key: string) =>
      app(
        [
          node('s', 'start'),
          node('h', 'http-request', {
            authorization: { type: 'api-key', config: { type: 'bearer', api_key } },
          }),
        ],
        's>h',
      );
    expect(blocking(extended(ask('YOUR_API_KEY')))).toEqual([]);
    expect(blocking(extended(ask('Qz7kP4vT9wR2xLm8')))).toEqual(['inline_secret H']);
    expect(JSON.stringify(extended(ask('{{#env.KEY#}}')).spec)).toContain('{{#env.KEY#}}');
  });

  it('the buttons of a question to a person are what an answer must say', () => {
    const user_actions = [
      { id: 'yes', title: 'Send it' },
      { id: 'no', title: 'Drop it' },
    ];
    const raw = app(
      [
        node('s', 'start'),
        node('h', 'human-input', { user_actions }),
        node('a', 'answer', { answer: 'a' }),
        node('b', 'answer', { answer: 'b' }),
      ],
      's>h h:yes>a h:no>b',
    );
    const analysis = extended(raw);
    expect(blocking(analysis)).toEqual([]);
    expect(JSON.stringify(analysis.spec['workflow'])).toContain('Send it');
  });

  it('a message that is a template of its own', () => {
    const message = (jinja2_text: string) =>
      app(
        [
          node('s', 'start'),
          node('l', 'llm', {
            model: GPT,
            prompt_config: {
              jinja2_variables: [{ variable: 'q', value_selector: ['s', 'text'] }],
            },
            prompt_template: [{ role: 'user', text: '', edition_type: 'jinja2', jinja2_text }],
          }),
        ],
        's>l',
      );
    const plain = extended(message('Say {{ q }}'));
    expect(blocking(plain)).toEqual([]);
    expect(JSON.stringify(plain.spec)).toContain('Say {{#s.text#}}');
    expect(blocking(extended(message('{% if q %}x{% endif %}')))).toEqual(['expression L']);
  });
});

const TYPES = [
  ...['llm', 'code', 'if-else', 'template-transform', 'iteration', 'loop', 'answer', 'end'],
  ...['assigner', 'http-request', 'tool', 'question-classifier', 'parameter-extractor', 'odd'],
  ...['variable-aggregator', 'human-input', 'knowledge-retrieval', 'iteration-start', 'agent'],
];
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('{{#n0.text#}}', ['n0', 'text'], 'x'.repeat(300), '', null),
);
const KEYS = [
  'answer',
  'outputs',
  'cases',
  'variables',
  'error_strategy',
  'prompt_template',
  'query',
];
const element = fc.record({
  type: fc.constantFrom(...TYPES),
  data: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...KEYS)), value, { maxKeys: 4 }),
  parent: fc.option(fc.nat(5), { nil: undefined }),
});
const apps = fc
  .tuple(
    fc.array(element, { minLength: 1, maxLength: 8 }),
    fc.array(fc.tuple(fc.nat(8), fc.constantFrom('', ':true', ':false', ':1'), fc.nat(8)), {
      maxLength: 14,
    }),
  )
  .map(([list, wires]) => {
    const nodes: Made[] = [node('n0', 'start')];
    for (const [i, { type, data, parent }] of list.entries()) {
      const more = parent === undefined ? {} : { parentId: `n${parent}` };
      nodes.push(node(`n${i + 1}`, type, { ...data, type, title: `T${i}` }, more));
    }
    const name = (i: number): string => `n${i % nodes.length}`;
    const text = wires.map(([from, handle, to]) => `${name(from)}${handle}>${name(to)}`);
    return app(nodes, text.join(' '));
  });

describe('any app with a start', () => {
  it('becomes a valid flow with a whole ledger, twice the same', () => {
    fc.assert(
      fc.property(apps, (raw) => {
        const analysis = extended(raw);
        expect(errorsIn(analysis)).toEqual([]);
        expect(ledgerFaults(readYaml(raw), analysis)).toEqual([]);
        expect(extended(raw)).toEqual(analysis);
      }),
      { numRuns: 150 },
    );
  });
});
