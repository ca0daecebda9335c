import { afterAll, describe, expect, it } from 'vitest';
import { rehearsedApp } from '../../../test/support/dify-apps.ts';
import { createRehearsals } from '../../cli/rehearse/run-rehearsal.ts';
import { app, type Made, node } from '../../importers/testing/dify-exports.ts';
import type { JsonObject } from '../../items/item.ts';

const rehearsals = createRehearsals();
afterAll(() => rehearsals.close());

const START = node('s', 'start', { variables: [{ variable: 'v', type: 'json_object' }] });

/** A step behind the start, whose field `v` is what is given. */
async function step(type: string, data: object, v: unknown, workflow: object = {}) {
  const raw = app([START, node('x', type, data)], 's>x', workflow, 'advanced-chat');
  const { last, error } = await rehearsedApp(rehearsals, raw, { v });
  return error === null ? last['X'] : error.message;
}

function run(nodes: readonly Made[], wires: string, input: JsonObject, workflow: object = {}) {
  return rehearsedApp(rehearsals, app([START, ...nodes], wires, workflow), input);
}

describe('if-else', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['contains', 'a cup', 'cup', true],
    ['contains', ['cup', 'pot'], 'pot', true],
    ['not contains', null, 'x', true],
    ['start with', 'a cup', 'a', true],
    ['end with', 'a cup', 'a', false],
    ['is', 'a', 'a', true],
    ['is', true, 'true', true],
    ['is not', null, 'a', false],
    ['empty', [], '', true],
    ['empty', {}, '', true],
    ['not empty', 'a', '', true],
    ['=', 5, '5', true],
    ['≠', 5, '5', false],
    ['>', '7', '5', true],
    ['≤', 5, '5', true],
    ['<', null, '5', false],
    ['null', null, '', true],
    ['not null', 0, '', true],
    ['exists', 'x', '', true],
    ['in', 'b', ['a', 'b'], true],
    ['not in', 'c', ['a', 'b'], true],
    ['all of', ['a', 'b', 'c'], ['a', 'c'], true],
  ])('%s of %j and %j is %s: %s', async (comparison_operator, given, expected, holds) => {
    const condition = { variable_selector: ['s', 'v'], comparison_operator, value: expected };
    const cases = [{ case_id: 'yes', logical_operator: 'and', conditions: [condition] }];
    const answer = await step('if-else', { cases }, given);
    expect(answer).toEqual({ result: holds, selected_case_id: holds ? 'yes' : 'false' });
  });

  it('looks into files, takes the first case, and tells what it does not know', async () => {
    const files = [
      { type: 'image', name: 'a.png' },
      { type: 'document', name: 'b.txt' },
    ];
    const sub = { conditions: [{ key: 'type', comparison_operator: 'is', value: 'image' }] };
    const looks = (comparison_operator: string) => {
      const condition = { variable_selector: ['s', 'v'], comparison_operator };
      const conditions = [{ ...condition, sub_variable_condition: sub }];
      return step('if-else', { cases: [{ case_id: 'c', conditions }] }, files);
    };
    expect(await looks('contains')).toMatchObject({ result: true });
    expect(await looks('all of')).toMatchObject({ result: false });
    const odd = [{ variable_selector: ['s', 'v'], comparison_operator: 'like', value: '' }];
    expect(await step('if-else', { conditions: odd }, 1)).toContain("'like'");
    const text = [{ variable_selector: ['s', 'v'], comparison_operator: '>', value: 'x' }];
    expect(await step('if-else', { conditions: text }, 1)).toContain('as a number');
  });
});

describe('assigner', () => {
  const conversation_variables = [
    { name: 'list', value: ['a'], value_type: 'array[string]' },
    { name: 'n', value: 4, value_type: 'number' },
    { name: 'o', value: { a: 1 }, value_type: 'object' },
  ];
  const assigned = (name: string, operation: string, given: object) =>
    step(
      'assigner',
      { version: '2', items: [{ variable_selector: ['conversation', name], operation, ...given }] },
      ['b', 'c'],
      { conversation_variables },
    );
  const constant = (value: unknown) => ({ input_type: 'constant', value });
  const v = { input_type: 'variable', value: ['s', 'v'] };

  it.each<[string, string, object, unknown]>([
    ['list', 'append', constant('z'), ['a', 'z']],
    ['list', 'extend', v, ['a', 'b', 'c']],
    ['list', 'over-write', v, ['b', 'c']],
    ['list', 'remove-first', {}, []],
    ['list', 'clear', {}, []],
    ['n', '+=', constant(3), 7],
    ['n', '-=', constant('3'), 1],
    ['n', '*=', constant(3), 12],
    ['n', '/=', constant(8), 0.5],
    ['n', 'clear', {}, 0],
    ['o', 'set', constant('{"b": 2}'), { b: 2 }],
    ['o', 'clear', {}, {}],
  ])('%s %s %j', async (name, operation, given, expected) => {
    expect(await assigned(name, operation, given)).toEqual({ [name]: expected });
  });

  it('tells what cannot be done', async () => {
    expect(await assigned('n', '/=', constant(0))).toContain('divided by 0');
    expect(await assigned('n', 'append', constant(1))).toContain('changes a list');
    expect(await assigned('n', 'swap', constant(1))).toContain("'swap'");
  });

  it('is seen by the steps behind it', async () => {
    const change = { assigned_variable_selector: ['conversation', 'n'], write_mode: 'over-write' };
    const nodes = [
      node('a', 'assigner', { ...change, input_variable_selector: ['s', 'v'] }),
      node('x', 'answer', { answer: '{{#conversation.n#}} {{#conversation.o#}}' }),
    ];
    const { last } = await run(nodes, 's>a a>x', { v: 9 }, { conversation_variables });
    expect(last['X']).toEqual({ answer: '9 {"a": 1}' });
  });
});

describe('list operator', () => {
  const variable = ['s', 'v'];
  it('filters, takes, orders and cuts', async () => {
    const filter_by = { enabled: true, conditions: [{ comparison_operator: '>', value: '1' }] };
    const order_by = { enabled: true, value: 'desc' };
    const limit = { enabled: true, size: 2 };
    const data = { variable, filter_by, order_by, limit };
    const result = { result: [5, 3], first_record: 5, last_record: 3 };
    expect(await step('list-operator', data, [1, 3, 5, 2])).toEqual(result);
    const second = { variable, extract_by: { enabled: true, serial: '2' } };
    expect(await step('list-operator', second, ['a', 'b'])).toMatchObject({ result: ['b'] });
    expect(await step('list-operator', second, ['a'])).toContain('item 2 is asked for');
    expect(await step('list-operator', { variable }, 'text')).toContain('needs a list');
  });

  it('looks into files by their fields', async () => {
    const conditions = [{ key: 'type', comparison_operator: 'is', value: 'image' }];
    const data = { variable, filter_by: { enabled: true, conditions } };
    const files = [
      { type: 'image', name: 'a' },
      { type: 'audio', name: 'b' },
    ];
    expect(await step('list-operator', data, files)).toMatchObject({ result: [files[0]] });
  });
});

describe('code', () => {
  const data = (code: string, more: object = {}) => ({
    code_language: 'javascript',
    variables: [{ variable: 'v', value_selector: ['s', 'v'] }],
    outputs: { r: { type: 'number' } },
    code,
    ...more,
  });

  it('gets its variables and gives its outputs', async () => {
    expect(await step('code', data('function main({v}) { return { r: v + 1, x: 2 } }'), 1)).toEqual(
      {
        r: 2,
      },
    );
    const later = 'async function main({v}) { await null; return { r: v } }';
    expect(await step('code', data(later), 3)).toEqual({ r: 3 });
  });

  it('tells what is wrong', async () => {
    expect(await step('code', data('function main() { return { x: 1 } }'), 1)).toContain(
      'Output r is missing',
    );
    expect(await step('code', data('function main() { return 5 }'), 1)).toContain('an object');
    expect(await step('code', data('function main() { throw new Error("no") }'), 1)).toContain(
      'no',
    );
  });

  it('takes the output for failures, or gives what stands for its own', async () => {
    const fails = 'function main() { throw new Error("no") }';
    const nodes = (more: object) => [
      node('c', 'code', data(fails, more)),
      node('x', 'answer', { answer: 'good {{#c.r#}}' }),
      node('y', 'answer', { answer: 'bad {{#c.error_message#}}' }),
    ];
    const wires = 's>c c>x c:fail-branch>y';
    const branch = await run(nodes({ error_strategy: 'fail-branch' }), wires, { v: 1 });
    expect([branch.last['X'], branch.last['Y']]).toEqual([undefined, { answer: 'bad no' }]);
    const default_value = [{ key: 'r', type: 'number', value: 7 }];
    const given = { error_strategy: 'default-value', default_value };
    expect((await run(nodes(given), wires, { v: 1 })).last['X']).toEqual({ answer: 'good 7' });
  });
});

describe('iteration', () => {
  const rounds = (error_handle_mode: string) => {
    const fails = 'function main({n}) { if (n === 2) throw new Error("two"); return { r: n } }';
    const variables = [{ variable: 'n', value_selector: ['i', 'item'] }];
    const outputs = { r: { type: 'number' } };
    const data = { code_language: 'javascript', code: fails, variables, outputs };
    const list = { iterator_selector: ['s', 'v'], output_selector: ['c', 'r'], error_handle_mode };
    const inside = { parentId: 'i' };
    const nodes = [
      node('i', 'iteration', list),
      node('m', 'iteration-start', {}, inside),
      node('c', 'code', data, inside),
      node('x', 'end', { outputs: [{ variable: 'all', value_selector: ['i', 'output'] }] }),
    ];
    return run(nodes, 's>i m>c i>x', { v: [1, 2, 3] });
  };

  it('does with a round that fails what its settings say', async () => {
    expect((await rounds('terminated')).error).toEqual({ node: 'C', message: 'two' });
    expect((await rounds('continue-on-error')).last['X']).toEqual({ all: [1, null, 3] });
    expect((await rounds('remove-abnormal-output')).last['X']).toEqual({ all: [1, 3] });
  });

  it('needs a list', async () => {
    const data = { iterator_selector: ['s', 'v'], output_selector: ['s', 'v'] };
    expect(await step('iteration', data, 5)).toContain('needs a list');
    expect(await step('iteration', data, [])).toEqual({ output: [] });
  });
});

describe('tools and documents', () => {
  const tool = (provider_id: string, tool_name: string, parameters: Record<string, unknown>) => {
    const tool_parameters = Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, { type: 'mixed', value }]),
    );
    return step('tool', { provider_id, tool_name, tool_parameters, tool_configurations: {} }, 1);
  };

  it.each<[string, string, Record<string, unknown>, string]>([
    ['time', 'timestamp_to_localtime', { timestamp: '0', timezone: 'UTC' }, '1970-01-01 00:00:00'],
    ['time', 'localtime_to_timestamp', { localtime: '1970-01-02 00:00:00' }, '86400'],
    ['langgenius/time/time', 'weekday', { year: '2026', month: '1', day: '31' }, 'Saturday'],
    ['regex', 'regex_extract', { content: 'a1 b22', expression: '[0-9]+' }, '["1", "22"]'],
  ])('%s/%s', async (provider, name, parameters, text) => {
    expect(await tool(provider, name, parameters)).toMatchObject({ text });
  });

  it('the clock and zones', async () => {
    const zones = { current_timezone: 'UTC', target_timezone: 'Asia/Tokyo' };
    const moment = { current_time: '2026-01-31 20:00:00', ...zones };
    const converted = await tool('time', 'timezone_conversion', moment);
    expect(converted).toMatchObject({ text: '2026-02-01 05:00:00' });
    const year = await tool('time', 'current_time', { format: 'year %Y' });
    expect(year).toMatchObject({ text: `year ${new Date().getUTCFullYear()}` });
    expect(await tool('time', 'current_time', { timezone: 'Nowhere' })).toContain('Nowhere');
  });

  it('texts of files that come with the run', async () => {
    const data = { variable_selector: ['s', 'v'] };
    expect(await step('document-extractor', data, { name: 'a', content: 'text' })).toEqual({
      text: 'text',
    });
    const url = `data:text/plain;base64,${Buffer.from('held').toString('base64')}`;
    expect(await step('document-extractor', data, [{ url }])).toEqual({ text: ['held'] });
    expect(await step('document-extractor', data, { url: 'https://x.example/a.pdf' })).toContain(
      'content',
    );
  });
});
