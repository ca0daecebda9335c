import { describe, expect, test } from 'vitest';
import { checkCase, type Expectation, expectationFault, expectationText } from './case-check.ts';

const run = (output_text: string | null, status = 'completed') => ({
  ...{ status, output_text },
  is_terminal: status !== 'running' && status !== 'blocked',
});

const has = (
  how: 'equals' | 'contains' | 'json',
  text: string,
  status: Expectation['status'] = 'completed',
): Expectation => ({ status, output: { how, text } });

describe('a case', () => {
  test('waits until its run is over, or stands where it is expected', () => {
    const ends: Expectation = { status: 'completed', output: null };
    expect(checkCase(ends, run(null, 'running'))).toEqual({ result: 'waiting' });
    expect(checkCase(ends, run(null, 'blocked'))).toEqual({ result: 'waiting' });
    expect(checkCase({ ...ends, status: 'blocked' }, run(null, 'blocked'))).toEqual({
      result: 'passed',
    });
    expect(checkCase(ends, run('x'))).toEqual({ result: 'passed' });
  });

  test('says every way in which the run is another', () => {
    expect(checkCase(has('contains', 'refund'), run('sorry', 'failed'))).toEqual({
      result: 'failed',
      reasons: ['It is failed, not completed.', 'The output does not contain "refund".'],
    });
    expect(checkCase(has('equals', 'a', 'any'), run('b', 'timed_out'))).toEqual({
      result: 'failed',
      reasons: ['The output is another text.'],
    });
  });

  test.each([
    [has('equals', 'done\n'), 'done'],
    [has('contains', 'on'), 'done'],
    [has('json', '{"a": {"b": 1}}'), '{"a": {"b": 1, "c": 2}, "d": 3}'],
    [has('json', '[{"a": 1}, {}]'), '[{"a": 1, "b": 2}, {"c": 3}]'],
    [has('json', '"text"'), '"text"'],
  ])('%j is met by %j', (expected, output) => {
    expect(checkCase(expected, run(output))).toEqual({ result: 'passed' });
  });

  test.each([
    ['{"a": {"b": 1}}', '{"a": {"b": 2}}', 'output.a.b is 2, not 1.'],
    ['{"a": null}', '{}', 'output.a is nothing, not null.'],
    ['{"a": []}', '{"a": [1]}', 'output.a has 1 items, not 0.'],
    ['{"a": [1]}', '{"a": 1}', 'output.a is no list.'],
    ['{"a": {}}', '[]', 'output is no object.'],
    ['{"a": 1}', 'text', 'The output is no JSON.'],
    ['{"toString": 1}', '{}', 'output.toString is nothing, not 1.'],
  ])('the JSON %s is not in %s', (text, output, reason) => {
    expect(checkCase(has('json', text), run(output))).toEqual({
      result: 'failed',
      reasons: [reason],
    });
  });

  test('is told in few words, and JSON that is none is refused', () => {
    expect(expectationText(has('contains', 'refund'))).toBe('completed, output contains refund');
    expect(expectationText({ status: 'any', output: null })).toBe('any end');
    expect(expectationFault(has('json', '{'))).toBe('This is no JSON.');
    expect(expectationFault(has('equals', '{'))).toBeNull();
  });
});
