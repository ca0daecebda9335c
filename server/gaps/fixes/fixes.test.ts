import { describe, expect, it } from 'vitest';
import { DESK_DRAFT } from '../testing/desk-draft.ts';
import type { FixTarget } from './fix-types.ts';
import { applyFix, fixOffers } from './fixes.ts';

const TEXT = DESK_DRAFT;

const whole = { text: TEXT, file: 'desk.yaml' };
const target = (name: string, kind: string): FixTarget => ({
  gap_id: `${kind}:${name}`,
  kind,
  label: name,
  name,
});

const offered = (name: string, kind: string): readonly string[] =>
  fixOffers(whole, [target(name, kind)]).map(({ id }) => id);

function fixed(fix: string, name: string, kind: string, values: Record<string, string>): string {
  const result = applyFix(whole, { fix, values, targets: [target(name, kind)] });
  expect(result.refused).toEqual([]);
  expect([result.errorsBefore, result.errorsAfter]).toEqual([0, 0]);
  return result.text;
}

/** The lines that differ, as a set: an edit leaves every other line as it is. */
function changed(text: string): { gone: string[]; made: string[] } {
  const before = TEXT.split('\n');
  const after = text.split('\n');
  return {
    gone: before.filter((line) => !after.includes(line)),
    made: after.filter((line) => !before.includes(line)),
  };
}

describe('edits that answer a gap', () => {
  it('are offered where they fit', () => {
    expect(offered('fetch', 'proprietary_node')).toEqual([
      'name_function',
      'by_person',
      'by_agent',
      'take_out',
    ]);
    expect(offered('look_up', 'tool_without_backing')).toEqual(['name_function', 'by_mcp']);
    expect(offered('answer', 'model_unresolved')).toEqual(['choose_model']);
    expect(offered('decide', 'unbounded_loop')).toEqual(['name_function', 'limit_steps']);
    expect(offered('decide', 'expression')).toContain('set_condition');
    expect(offered('decide', 'expression')).not.toContain('limit_steps');
    const back = '  - from: answer\n    to: decide\ncomponents:';
    const circle = { text: TEXT.replace('components:', back), file: 'desk.yaml' };
    const decides = target('decide', 'expression');
    expect(fixOffers(circle, [decides]).map(({ id }) => id)).toContain('limit_steps');
    const between = { ...decides, name: '', before: ['decide'], after: ['answer'] };
    expect(fixOffers(circle, [between]).map(({ id }) => id)).toContain('limit_steps');
    const before = { ...decides, name: 'fetch' };
    expect(fixOffers(circle, [before]).map(({ id }) => id)).not.toContain('limit_steps');
    const limited = { ...circle, text: circle.text.replace('start:', 'max_steps: 9\n  start:') };
    expect(fixOffers(limited, [decides]).map(({ id }) => id)).not.toContain('limit_steps');
    expect(offered('spare', 'proprietary_node')).toEqual(['name_function']);
    expect(offered('nobody', 'proprietary_node')).toEqual([]);
    expect(offered('fetch', 'annotation')).toEqual([]);
    expect(fixOffers({ text: 'a: [', file: 'a.yaml' }, [target('a', 'expression')])).toEqual([]);
  });

  it('fit more kinds: a workflow that is not there, another agent, settings, a start, a key', () => {
    const text = TEXT.replace(
      'kind: function\n      ref: fetch',
      'kind: workflow\n      ref: fetch',
    )
      .replace('  functions:\n    fetch:\n      implementation: imported.fetch\n', '  functions:\n')
      .replace(
        'components:\n',
        'components:\n  workflows:\n    fetch:\n      type: sequential\n      steps:\n      - id: none\n        kind: agent\n        ref: answer\n',
      )
      .replace(
        '      system_prompt: Answer.\n',
        '      system_prompt: Answer.\n      model: {provider: openai, name: m}\n',
      );
    const draft = { text, file: 'desk.yaml' };
    const offers = (one: FixTarget) => fixOffers(draft, [one]).map(({ id }) => id);
    const apply = (fix: string, one: FixTarget, values: Record<string, string>) => {
      const result = applyFix(draft, { fix, values, targets: [one] });
      expect(result.refused).toEqual([]);
      expect(result.errorsAfter).toBeLessThanOrEqual(result.errorsBefore);
      return result.text;
    };
    const called = target('fetch', 'subworkflow');
    expect(offers(called)).toEqual(['by_function', 'by_person', 'by_agent', 'take_out']);
    const byFunction = apply('by_function', called, { function: 'shop.get' });
    expect(byFunction).toContain('implementation: shop.get');
    expect(byFunction).not.toContain('type: sequential');

    const model = { ...target('chat_model', 'inline_secret'), hosts: ['answer'] };
    expect(offers(model)).toEqual(['name_key']);
    expect(apply('name_key', model, { key: 'TEAM_KEY' })).toContain('api_key_ref: TEAM_KEY');

    const settings = {
      ...target('answer', 'parameters_not_carried'),
      settings: [
        { name: 'max_tokens', value: 800 },
        { name: 'temperature', value: 0.5 },
        { name: 'maxIterations', value: 8 },
      ],
    };
    expect(
      fixOffers(draft, [settings])[0]?.fields.map(({ name, initial }) => [name, initial]),
    ).toEqual([
      ['temperature', '0.5'],
      ['max_tokens', '800'],
    ]);
    const set = apply('set_values', settings, { temperature: '', max_tokens: '700' });
    expect(set).toContain('max_tokens: 700');
    expect(set).not.toContain('temperature');

    const agent = target('answer', 'agent_execution_mode_not_carried');
    expect(offers(agent)).toEqual(['rewrite_agent']);
    expect(apply('rewrite_agent', agent, { prompt: 'Think first.' })).toContain('Think first.');
    expect(apply('choose_start', target('', 'no_entry'), { start: 'decide' })).toContain(
      'start: decide',
    );
  });

  it('write the condition of the edge that an element became', () => {
    const filter = {
      ...target('only_open_ones', 'expression'),
      before: ['fetch'],
      after: ['decide'],
    };
    expect(fixOffers(whole, [filter]).map(({ id }) => id)).toEqual(['set_condition']);
    const { text, errorsAfter } = applyFix(whole, {
      fix: 'set_condition',
      values: { edge: '0', rule: 'output_contains', value: 'open' },
      targets: [filter],
    });
    expect(errorsAfter).toBe(0);
    expect(text).toMatch(/from: fetch\n {4}to: decide\n {4}condition:/);
    expect(fixOffers(whole, [{ ...filter, after: ['answer'] }])).toEqual([]);
  });

  it('change their own lines and nothing else', () => {
    expect(
      changed(fixed('name_function', 'fetch', 'proprietary_node', { function: 'shop.get' })),
    ).toEqual({
      gone: ['      implementation: imported.fetch'],
      made: ['      implementation: shop.get'],
    });
    expect(changed(fixed('limit_steps', 'decide', 'unbounded_loop', { steps: '12' }))).toEqual({
      gone: [],
      made: ['  max_steps: 12'],
    });
    expect(
      changed(
        fixed('choose_model', 'answer', 'model_unresolved', { provider: 'openai', name: 'large' }),
      ).made,
    ).toEqual(['      model:', '        provider: openai', '        name: large']);
    const condition = fixed('set_condition', 'decide', 'expression', {
      edge: '1',
      rule: 'output_contains',
      value: 'refund',
    });
    expect(condition).toContain('type: output_contains');
    expect(condition).toContain('value: refund');
    expect(condition).not.toContain('type: always');
  });

  it('hand a step to a person or an agent, and drop the function that stood in for it', () => {
    const person = fixed('by_person', 'fetch', 'proprietary_node', {
      question: 'Get the order',
      request_type: 'freeform',
    });
    expect(person).toContain('kind: human');
    expect(person).not.toContain('imported.fetch');
    expect(person).toContain('# the first');
    const agent = fixed('by_agent', 'decide', 'expression', { prompt: 'Say yes or no.' });
    expect(agent).toContain('{id: decide, kind: agent, ref: decide}');
    expect(agent).toContain('system_prompt: Say yes or no.');
  });

  it('lead the flow past a step that is taken out', () => {
    const text = fixed('take_out', 'fetch', 'proprietary_node', {});
    expect(text).toContain('start: decide');
    expect(text).not.toContain('fetch');
    expect(text).toContain('# kept');
    const middle = fixed('take_out', 'decide', 'proprietary_node', {});
    expect(middle).toMatch(/from: fetch\n {4}to: answer/);
    expect(middle).not.toContain('decide');
  });

  it('answer several gaps of one cause at once, each by its own edit', () => {
    const targets = [target('fetch', 'proprietary_node'), target('decide', 'proprietary_node')];
    const offer = fixOffers(whole, targets).find(({ id }) => id === 'name_function');
    expect(offer?.gap_ids).toHaveLength(2);
    expect(offer?.fields[0]?.initial).toBe('');
    const result = applyFix(whole, {
      fix: 'name_function',
      values: { function: 'shop.call' },
      targets: [...targets, target('gone', 'proprietary_node')],
    });
    expect(result.done).toHaveLength(2);
    expect(result.refused.map(({ gap_id }) => gap_id)).toEqual(['proprietary_node:gone']);
    expect(result.text.match(/shop\.call/g)).toHaveLength(2);
  });

  const wideDraft = (names: readonly string[]) => ({
    file: 'wide.yaml',
    text: [
      'version: v1',
      'agent: {name: wide}',
      'workflow:',
      '  type: sequential',
      '  steps:',
      ...names.map((name) => `  - {id: ${name}, kind: function, ref: ${name}}`),
      'components:',
      '  functions:',
      ...names.map((name) => `    ${name}: {implementation: "imported.${name}"} # ${name}`),
      '',
    ].join('\n'),
  });
  const namesTo = (count: number): string[] => Array.from({ length: count }, (_, i) => `step_${i}`);

  it('answer 900 gaps of one cause in one reading', () => {
    const targets = namesTo(900).map((name) => target(name, 'proprietary_node'));
    const fix = { fix: 'name_function', values: { function: 'a.b' }, targets };
    const result = applyFix(wideDraft(namesTo(900)), fix);
    expect(result.done).toHaveLength(900);
    expect(result.text).toContain('    step_899: {implementation: a.b} # step_899\n');
    expect(result.errorsAfter).toBe(0);
  }, 20_000);

  it('are made for so many gaps at once as can be read in time', () => {
    const targets = namesTo(62).map((name) => target(name, 'proprietary_node'));
    const wide = wideDraft(namesTo(64));
    const result = applyFix(wide, { fix: 'take_out', values: {}, targets });
    expect(result.done).toHaveLength(60);
    expect(result.refused.map(({ reason }) => reason)).toContain(
      'This edit is made for 60 gaps at once.',
    );
    const none = applyFix(wide, { fix: 'by_agent', values: { prompt: '' }, targets });
    expect(none.text).toBe(wide.text);
  }, 20_000);

  it('refuse values that make no sense, and leave the text', () => {
    const refuse = (fix: string, name: string, kind: string, values: Record<string, string>) => {
      const result = applyFix(whole, { fix, values, targets: [target(name, kind)] });
      expect(result.text).toBe(TEXT);
      expect(result.refused).toHaveLength(1);
    };
    refuse('name_function', 'fetch', 'proprietary_node', { function: 'rm -rf' });
    refuse('limit_steps', 'decide', 'unbounded_loop', { steps: '0' });
    refuse('choose_model', 'answer', 'model_unresolved', { provider: 'openai', name: ' ' });
    refuse('by_person', 'fetch', 'proprietary_node', { question: '' });
  });
});
