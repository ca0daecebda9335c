import { describe, expect, it, vi } from 'vitest';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).NO_STEP_TYPES,
);

function convert(mode: string, config: object): Analysis {
  const model = {
    provider: 'langgenius/moonshot/moonshot',
    name: 'kimi',
    completion_params: { temperature: 0.2, max_tokens: 500, top_p: 0.9 },
  };
  const raw = JSON.stringify({
    ...{ version: '0.3.0', app: { name: 'Helper', mode } },
    model_config: { model, ...config },
  });
  const outcome = analyze({ source: 'dify', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

function told(outcome: Analysis): string[] {
  return outcome.gaps.map((gap) => `${gap.severity} ${gap.kind}`);
}

describe('a Dify app without a graph (importers 14)', () => {
  it('keeps its provider, its model settings, its rounds and its memory', () => {
    const agent_mode = { enabled: true, strategy: 'function_call', max_iteration: 7, tools: [] };
    const outcome = convert('agent-chat', { agent_mode, pre_prompt: 'Help.' });
    expect(outcome.spec['agent']).toEqual({
      name: 'helper',
      model: {
        ...{ provider: 'moonshot', name: 'kimi', temperature: 0.2, max_tokens: 500 },
        extra: { top_p: 0.9 },
      },
      system_prompt: 'Help.',
      strategy: { type: 'react', max_iterations: 7 },
      memory: { policy: 'sliding_window', max_messages: 20 },
    });
    expect(told(outcome).filter((gap) => gap.startsWith('blocking'))).toEqual([]);
    expect(told(outcome).filter((gap) => gap === 'manual carried_as')).toHaveLength(2);
  });

  it('that completes remembers nothing', () => {
    const outcome = convert('completion', { pre_prompt: 'Write a line.' });
    expect(outcome.spec['agent']).not.toHaveProperty('memory');
  });

  it('keeps its prompt, with what the form asks filled in before each call', () => {
    const outcome = convert('chat', { pre_prompt: 'Speak of {{topic}}. {{#query#}}' });
    const filled = 'Speak of {{#app.topic#}}. {{#sys.query#}}';
    expect(JSON.stringify(outcome.spec)).toContain(JSON.stringify(filled).slice(1, -1));
    expect(told(outcome).filter((gap) => gap.startsWith('blocking'))).toEqual([]);
    const plain = convert('chat', { pre_prompt: 'Answer: {{#query#}}' });
    expect(plain.spec['agent']).toHaveProperty('system_prompt', 'Answer: ');
    expect(told(plain).filter((gap) => gap.startsWith('blocking'))).toEqual([]);
  });
});
