import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kernel/json.ts';
import {
  accepted,
  app,
  config,
  GPT,
  gapsNaming,
  gapsOf,
  llm,
  type Made,
  node,
  rootOf,
  START,
} from './testing/dify-exports.ts';

describe('5.4 prompts', () => {
  const sys = (text: unknown, more: object = {}): object => ({ role: 'system', text, ...more });
  it.each<[string, unknown, string | undefined, string[]]>([
    ['one message', [sys('Hi')], 'Hi', []],
    ['two messages', [sys('A'), { role: 'user', text: '' }, sys('B')], 'A\n\nB', []],
    ['a variable', [sys('Hi {{#s.q#}}')], undefined, ['expression blocking']],
    ['the context', [sys('{{#context#}}')], undefined, ['expression blocking']],
    ['braces inside', [sys('{{#a{b#}}')], '{{#a{b#}}', []],
    ['plain braces', [sys('{{ name }}')], '{{ name }}', []],
    ['no text', [sys('A'), sys(7)], undefined, ['parameters_not_carried blocking']],
    ['blank', [sys('  ')], undefined, []],
    ['jinja without marks', [sys('x', { edition_type: 'jinja2', jinja2_text: 'J' })], 'J', []],
    [
      'jinja variable',
      [sys('x', { edition_type: 'jinja2', jinja2_text: '{{ a }}' })],
      undefined,
      ['expression blocking'],
    ],
    [
      'jinja block',
      [sys('x', { edition_type: 'jinja2', jinja2_text: '{% if a %}' })],
      undefined,
      ['expression blocking'],
    ],
    ['a mapping', { text: 'Done' }, 'Done', []],
    ['user text', [{ role: 'user', text: 'Q' }], undefined, ['run_input manual']],
    ['user variable', [{ role: 'user', text: '{{#s.q#}}' }], undefined, ['run_input manual']],
    [
      'assistant text',
      [{ role: 'assistant', text: 'A' }],
      undefined,
      ['parameters_not_carried manual'],
    ],
    ['nothing', undefined, undefined, []],
  ])('%s', (_what, prompt_template, prompt, gaps) => {
    const text = app([START, llm('a', { prompt_template })], 's>a');
    expect(rootOf(text)['system_prompt']).toBe(prompt);
    expect(gapsNaming('a', text)).toEqual(gaps);
  });

  it.each<[string, unknown, JsonObject | undefined, string[]]>([
    ...(
      [
        ['anthropic', 'anthropic'],
        ['langgenius/azure_openai/azure_openai', 'azure-openai'],
        ['bedrock', 'aws-bedrock'],
        ['cohere', 'cohere'],
        ['langgenius/gemini/gemini', 'google'],
        ['google', 'google'],
        ['groq', 'groq'],
        ['huggingface_hub', 'huggingface'],
        ['mistralai', 'mistral'],
        ['ollama', 'ollama'],
        ['openai', 'openai'],
        ['vertex_ai', 'google-vertex'],
      ] as const
    ).map(([provider, known]): [string, unknown, JsonObject, string[]] => [
      provider,
      { provider, name: ' m ' },
      { provider: known, name: 'm' },
      [],
    ]),
    [
      'model in the place of name',
      { provider: 'openai', model: 'm' },
      { provider: 'openai', name: 'm' },
      [],
    ],
    [
      'another provider',
      { provider: 'x/deepseek', name: 'm' },
      undefined,
      ['model_unresolved manual'],
    ],
    ['no provider', { name: 'm' }, undefined, ['model_unresolved manual']],
    ['another case', { provider: 'OpenAI', name: 'm' }, undefined, ['model_unresolved manual']],
    ['no name', { provider: 'openai', name: '' }, undefined, ['proprietary_node blocking']],
    [
      'a name that is a number',
      { provider: 'openai', name: 4 },
      undefined,
      ['proprietary_node blocking'],
    ],
    ['none at all', undefined, undefined, ['proprietary_node blocking']],
    [
      'settings',
      { provider: 'openai', name: 'm', completion_params: { top_p: 0, stop: [] } },
      { provider: 'openai', name: 'm' },
      ['parameters_not_carried manual'],
    ],
    [
      'empty settings',
      { provider: 'openai', name: 'm', completion_params: { stop: [], a: null, b: '' } },
      { provider: 'openai', name: 'm' },
      [],
    ],
  ])('model: %s', (_what, model, expected, gaps) => {
    const text = app([START, llm('a', { model })], 's>a');
    expect(rootOf(text)['model']).toEqual(expected);
    expect(gapsNaming('a', text)).toEqual(gaps);
  });

  it.each<[string, unknown, object, boolean]>([
    ['absent', undefined, {}, false],
    ['another first part', ['conversation', 'M'], {}, false],
    ['a good one', ['env', 'M'], {}, false],
    ['a name that is not there', ['env', 'N'], {}, true],
    ['no name', ['env'], {}, true],
    ['one part too many', ['env', 'M', 'x'], {}, true],
    ['a variable of another type', ['env', 'M'], { value_type: 'string' }, true],
    ['a member too many', ['env', 'M'], { value: { ...GPT, extra: 1 } }, true],
    ['another mode', ['env', 'M'], { value: { ...GPT, mode: 'completion' } }, true],
    ['no mode', ['env', 'M'], { value: { provider: 'openai', name: 'g' } }, true],
  ])('model_selector: %s', (_what, model_selector, more, broken) => {
    const value = { provider: 'cohere', name: 'c', mode: 'chat', completion_params: {} };
    const environment_variables = [{ name: 'M', value_type: 'llm', value, ...more }];
    const text = app([START, llm('a', { model_selector })], 's>a', { environment_variables });
    expect(gapsNaming('a', text)).toEqual(broken ? ['source_cannot_run blocking'] : []);
    const isEnv = Array.isArray(model_selector) && model_selector[0] === 'env' && !broken;
    expect(rootOf(text)['model']).toMatchObject({ provider: isEnv ? 'cohere' : 'openai' });
  });

  it.each<[string, object, string[]]>([
    ['context on', { context: { enabled: true } }, ['parameters_not_carried manual']],
    ['context off', { context: { enabled: false, variable_selector: ['a'] } }, []],
    ['vision on', { vision: { enabled: true } }, ['parameters_not_carried manual']],
    [
      'structured output',
      { structured_output_enabled: true, structured_output: { schema: {} } },
      ['parameters_not_carried manual'],
    ],
    [
      'all at once are one gap',
      { vision: { enabled: true }, context: { enabled: true } },
      ['parameters_not_carried manual'],
    ],
    ['memory in a workflow', { memory: { window: {} } }, []],
  ])('llm settings: %s', (_what, data, gaps) => {
    expect(gapsNaming('a', app([START, llm('a', data)], 's>a'))).toEqual(gaps);
  });

  it('memory is lost in a chat flow', () => {
    const memory = { window: { enabled: false } };
    const chat = (made: Made): string[] =>
      gapsNaming('a', app([START, made], 's>a', {}, 'advanced-chat')).filter((g) =>
        g.startsWith('memory'),
      );
    expect(chat(llm('a', { memory }))).toEqual(['memory blocking']);
    expect(chat(llm('a', { memory: {} }))).toEqual([]);
    expect(chat(node('a', 'parameter-extractor', { model: GPT, memory }))).toEqual([
      'memory blocking',
    ]);
    expect(chat(node('a', 'agent', { memory }))).toEqual(['memory blocking']);
  });

  it('a parameter extractor is a model call', () => {
    const data = {
      model: GPT,
      instruction: 'Find.',
      query: ['s', 'q'],
      parameters: [{ name: 'x' }],
      reasoning_mode: 'prompt',
    };
    const text = app([START, node('a', 'parameter-extractor', data)], 's>a');
    expect(rootOf(text)).toMatchObject({ system_prompt: 'Find.', model: { name: 'gpt' } });
    expect(gapsNaming('a', text)).toEqual(['parameters_not_carried manual', 'run_input manual']);
  });
});

describe('5.4 agents', () => {
  const EXECUTION = 'agent_execution_mode_not_carried blocking';
  const READ = {
    agent_strategy_provider_name: 'langgenius/agent/agent',
    agent_strategy_name: 'function_calling',
  };
  const BASE = { model: { type: 'constant', value: GPT } };
  function agent(parameters: object, more: object = READ): string {
    return app(
      [START, node('a', 'agent', { ...more, agent_parameters: { ...BASE, ...parameters } })],
      's>a',
    );
  }
  const of = (value: unknown, type = 'constant'): object => ({ type, value });

  it.each<[string, object, string[]]>([
    ['read', {}, ['parameters_not_carried info']],
    ['iterations', { maximum_iterations: of(5) }, ['parameters_not_carried manual']],
    ['iterations as digits', { maximum_iterations: of('5') }, ['parameters_not_carried manual']],
    ['query', { query: of('hi') }, ['parameters_not_carried info', 'run_input manual']],
    [
      'query by variable',
      { query: of(['s', 'q'], 'variable') },
      ['parameters_not_carried info', 'run_input manual'],
    ],
    ['empty query', { query: of('') }, ['parameters_not_carried info']],
    [
      'another parameter',
      { depth: of(2) },
      ['parameters_not_carried manual', 'parameters_not_carried info'],
    ],
    ['an empty parameter', { depth: of('') }, ['parameters_not_carried info']],
    ['memory', { memory: of({ a: 1 }) }, ['memory blocking', 'parameters_not_carried info']],
    [
      'computed instruction',
      { instruction: of('x {{#s.q#}}') },
      ['parameters_not_carried info', 'expression blocking'],
    ],
  ])('%s', (_what, parameters, gaps) => {
    expect(gapsNaming('a', agent(parameters))).toEqual(gaps);
  });

  it('the instruction is the prompt of a read strategy, else an instruction of the executor', () => {
    const instruction = { instruction: of('Act.') };
    expect(rootOf(agent(instruction))['system_prompt']).toBe('Act.');
    const react = { ...READ, agent_strategy_name: 'ReAct' };
    expect(rootOf(agent(instruction, react))['system_prompt']).toBe('Act.');
    for (const more of [
      { ...READ, agent_strategy_name: 'react' },
      { ...READ, agent_strategy_provider_name: 'me/agent/agent' },
      {},
    ]) {
      const text = agent(instruction, more);
      expect(rootOf(text)).not.toHaveProperty('system_prompt');
      expect(gapsNaming('a', text)).toEqual([EXECUTION]);
    }
  });

  it('tools are bound when they are enabled', () => {
    const value = [
      { enabled: true, tool_name: 'x', type: 'builtin' },
      { enabled: false, tool_name: 'y' },
      { tool_name: 'z' },
      { enabled: true, provider_name: 'p', type: 'api' },
    ];
    const outcome = accepted(agent({ tools: of(value) }));
    expect(outcome.summary.tool_count).toBe(2);
    expect(outcome.gaps.slice(-2).map((gap) => gap.gap_id)).toEqual([
      'tool_without_backing:a:tools[0]',
      'tool_without_backing:a:tools[3]',
    ]);
  });
});

describe('5.4 apps without a graph', () => {
  const MEMORY = 'memory:model_config blocking';
  const ENTRY = 'entry_mechanism_not_carried:app info';
  it.each<[string, string, object, string[]]>([
    ['completion', 'completion', { pre_prompt: 'Hi' }, [ENTRY]],
    ['chat', 'chat', { pre_prompt: 'Hi' }, [MEMORY, ENTRY]],
    [
      'a variable',
      'completion',
      { pre_prompt: 'Hi {{name}}' },
      [ENTRY, 'expression:model_config blocking'],
    ],
    ['no variable', 'completion', { pre_prompt: 'Hi {{ name }}' }, [ENTRY]],
    [
      'the query',
      'completion',
      { pre_prompt: '{{#query#}}' },
      [ENTRY, 'expression:model_config blocking'],
    ],
    [
      'another prompt type',
      'completion',
      { prompt_type: 'x', pre_prompt: 'Hi' },
      [ENTRY, 'parameters_not_carried:model_config blocking'],
    ],
    [
      'settings',
      'completion',
      { opening_statement: 'Hello' },
      [ENTRY, 'parameters_not_carried:model_config manual'],
    ],
    ['empty settings', 'completion', { opening_statement: '', suggested_questions: [] }, [ENTRY]],
    [
      'switched settings',
      'completion',
      { file_upload: { image: { enabled: true } } },
      [ENTRY, 'parameters_not_carried:model_config manual'],
    ],
    [
      'losses in order',
      'chat',
      {
        user_input_form: [{ 'text-input': { variable: 'v' } }],
        dataset_configs: { datasets: { datasets: [{ dataset: { id: 'x' } }] } },
        sensitive_word_avoidance: { enabled: true },
      },
      [
        'execution_setting:feature:sensitive_word_avoidance blocking',
        'external_service:model_config blocking',
        'run_input:model_config manual',
        MEMORY,
        ENTRY,
      ],
    ],
  ])('%s', (_what, mode, model_config, gaps) => {
    expect(gapsOf(config(mode, model_config))).toEqual(gaps);
  });

  it('advanced prompts: chat, or completion when the model completes', () => {
    const both = {
      prompt_type: 'advanced',
      chat_prompt_config: { prompt: [{ role: 'system', text: 'Chat.' }] },
      completion_prompt_config: { prompt: { text: 'Complete.' } },
    };
    expect(rootOf(config('completion', both))['system_prompt']).toBe('Chat.');
    const model = { ...GPT, mode: 'completion' };
    expect(rootOf(config('completion', { ...both, model }))['system_prompt']).toBe('Complete.');
    const unset = { ...both, completion_prompt_config: {}, model };
    expect(rootOf(config('completion', unset))['system_prompt']).toBe('Chat.');
  });

  it.each<[string, unknown, boolean]>([
    ['function_call', { enabled: true, strategy: 'function_call' }, true],
    ['switched off', { enabled: false, strategy: 'react' }, true],
    ['router', { enabled: true, strategy: 'router' }, false],
    ['react_router', { enabled: true, strategy: 'react_router' }, false],
    ['no strategy', { enabled: true }, false],
    ['no switch', { strategy: 'function_call' }, false],
    ['none', undefined, false],
  ])('agent-chat strategy %s', (_what, agent_mode, read) => {
    const gaps = gapsNaming('model_config', config('agent-chat', { agent_mode }));
    expect(gaps.includes('agent_execution_mode_not_carried blocking')).toBe(!read);
  });

  it('tools of an app need four members and a switch', () => {
    const tools = [
      { enabled: true, a: 1, b: 2, tool_name: 'x' },
      { enabled: true, tool_name: 'y' },
      { enabled: false, a: 1, b: 2, tool_name: 'z' },
    ];
    const agent_mode = { enabled: true, strategy: 'function_call', tools };
    expect(accepted(config('agent-chat', { agent_mode })).summary.tool_count).toBe(1);
  });

  it('a packaged agent is one loss', () => {
    const outcome = accepted('app: {mode: agent, name: P}\n');
    expect(outcome.gaps.map((gap) => gap.gap_id)).toEqual(['proprietary_node:app']);
    expect(outcome.spec).toEqual({ version: 'v1', agent: { name: 'imported-agent' } });
    expect(outcome.summary).toMatchObject({ node_count: 0, workflow_family: null });
  });
});
