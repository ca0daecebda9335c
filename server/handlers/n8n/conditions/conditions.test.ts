import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../../test/support/handler-call.ts';
import { createEvaluator } from '../../../expressions/host/create-evaluator.ts';
import type { JsonObject } from '../../../items/item.ts';

const evaluator = createEvaluator({ evaluateMs: 500 });
afterAll(() => evaluator.close());

type Row = readonly [operation: string, right: unknown, passing: readonly unknown[]];

const MISSING = Symbol('missing');

function given(values: readonly unknown[]): JsonObject[] {
  return values.map((v): JsonObject => (v === MISSING ? {} : { v }));
}

function conditions(
  [type, operation]: readonly [string, string],
  rightValue: unknown,
  options: JsonObject = {},
): JsonObject {
  const single = rightValue === '' ? { singleValue: true } : {};
  const operator = {
    type,
    operation,
    ...(type === 'array' ? { rightType: 'any' } : {}),
    ...single,
  };
  return {
    options: { caseSensitive: true, typeValidation: 'strict', version: 2, ...options },
    conditions: [{ leftValue: '={{ $json.v }}', rightValue, operator }],
    combinator: 'and',
  };
}

async function passing(
  type: string,
  [operation, right]: readonly [string, unknown],
  values: readonly unknown[],
  options: JsonObject = {},
): Promise<unknown[]> {
  const [yes] = fieldsOf(
    await callHandler(evaluator, {
      type: 'if',
      version: 2.2,
      parameters: { conditions: conditions([type, operation], right, options) },
      onError: 'regular_output',
      given: given(values),
    }),
  );
  return (yes ?? []).map((json) => ('v' in json ? json['v'] : MISSING));
}

const TEXTS = ['Apple pie', 'apple', '', null, MISSING];
const BOOLEANS = [true, false, null, MISSING];

describe('conditions without conversion', () => {
  it.each<Row>([
    ['equals', 'apple', ['apple']],
    ['notEquals', 'apple', ['Apple pie', '', null, MISSING]],
    ['contains', 'pple', ['Apple pie', 'apple']],
    ['notContains', 'pple', ['', null, MISSING]],
    ['startsWith', 'A', ['Apple pie']],
    ['notStartsWith', 'A', ['apple', '', null, MISSING]],
    ['endsWith', 'pie', ['Apple pie']],
    ['notEndsWith', 'pie', ['apple', '', null, MISSING]],
    ['regex', '^a', ['apple']],
    ['regex', '/^a/i', ['Apple pie', 'apple']],
    ['notRegex', '^a', ['Apple pie', '', null, MISSING]],
    ['exists', '', ['Apple pie', 'apple', '']],
    ['notExists', '', [null, MISSING]],
    ['empty', '', ['', null, MISSING]],
    ['notEmpty', '', ['Apple pie', 'apple']],
  ])('a text %s %j', async (operation, right, expected) => {
    expect(await passing('string', [operation, right], TEXTS)).toEqual(expected);
  });

  it('letters of either case are the same where the condition says so, but not in patterns', async () => {
    const options = { caseSensitive: false };
    expect(await passing('string', ['equals', 'APPLE'], TEXTS, options)).toEqual(['apple']);
    expect(await passing('string', ['regex', '^A'], TEXTS, options)).toEqual([]);
    const lists = [['A'], ['b']];
    expect(await passing('array', ['contains', '={{ "a" }}'], lists, options)).toEqual([['A']]);
  });

  it.each<Row>([
    ['true', '', [true]],
    ['false', '', [false, null, MISSING]],
    ['equals', true, [true]],
    ['notEquals', true, [false, null, MISSING]],
    ['exists', '', [true, false]],
    ['empty', '', [null, MISSING]],
    ['notEmpty', '', [true, false]],
  ])('a boolean %s %j', async (operation, right, expected) => {
    expect(await passing('boolean', [operation, right], BOOLEANS)).toEqual(expected);
  });

  it('an operation that nobody knows holds for nobody', async () => {
    expect(await passing('string', ['sounds', 'x'], TEXTS)).toEqual([]);
    expect(await passing('constructor', ['name', 'x'], TEXTS)).toEqual([]);
  });
});

describe('conditions that convert', () => {
  const options = { typeValidation: 'loose' };
  const VALUES = ['5', 5, 'abc', true, 'true', 'false', '', [5], '2024-05-01', null];

  it.each<readonly [string, ...Row]>([
    ['number', 'equals', 5, ['5', 5, [5]]],
    ['boolean', 'true', '', ['5', 5, 'abc', true, 'true', [5], '2024-05-01']],
    ['string', 'equals', '5', ['5', 5]],
    ['dateTime', 'after', '2024-01-01', ['2024-05-01']],
    ['number', 'equals', '5', ['5', 5, [5]]],
  ])('%s %s %j', async (type, operation, right, expected) => {
    expect(await passing(type, [operation, right], VALUES, options)).toEqual(expected);
  });

  it('read any text as true before version 2', async () => {
    const old = { ...options, version: 1 };
    expect(await passing('boolean', ['true', ''], ['false', '0', ''], old)).toEqual(['false', '0']);
  });
});

describe('what cannot be judged', () => {
  const parameters = { conditions: conditions(['number', 'gt'], 3), looseTypeValidation: true };
  const values = given([5, 'x', 1]);

  it('stops the run and says which condition and item', async () => {
    const call = callHandler(evaluator, { type: 'if', version: 2.2, parameters, given: values });
    await expect(call).rejects.toThrow(
      "Wrong type: 'x' is a string but was expecting a number [condition 0, item 1]",
    );
  });

  it('goes to false in If, and is lost in Filter with an output for errors', async () => {
    const step = { version: 2.2, parameters, given: values, onError: 'error_output' } as const;
    const parted = await callHandler(evaluator, { type: 'if', ...step });
    expect(fieldsOf(parted)).toEqual([[{ v: 5 }], [{ v: 'x' }, { v: 1 }], []]);
    const filtered = await callHandler(evaluator, { type: 'filter', ...step });
    expect(fieldsOf(filtered)).toEqual([[{ v: 5 }], []]);
  });

  it('tells its error in the first output of Switch, or in that for errors', async () => {
    const rules = { values: [{ conditions: conditions(['number', 'gt'], 3) }] };
    const step = { type: 'switch', version: 3.2, parameters: { rules }, given: values } as const;
    const error = expect.stringContaining('Wrong type');
    const regular = await callHandler(evaluator, { ...step, onError: 'regular_output' });
    expect(fieldsOf(regular)).toEqual([[{ v: 5 }, { error }]]);
    const aside = await callHandler(evaluator, { ...step, onError: 'error_output' });
    expect(fieldsOf(aside)).toEqual([[{ v: 5 }], [{ error }]]);
  });

  it('is an item that says of itself that it failed: it goes to the output for errors', async () => {
    const parted = await callHandler(evaluator, {
      type: 'if',
      version: 2.2,
      parameters: { conditions: conditions(['string', 'exists'], '') },
      onError: 'error_output',
      given: [{ error: 'bad' }, { error: 'bad', v: 'x' }],
    });
    expect(fieldsOf(parted)).toEqual([[{ error: 'bad', v: 'x' }], [], [{ error: 'bad' }]]);
  });

  it('is a pattern that never ends, which ends by a limit', async () => {
    const parameters = { conditions: conditions(['string', 'regex'], '^(a+)+$') };
    const text = `${'a'.repeat(40)}b`;
    const call = callHandler(evaluator, {
      type: 'if',
      version: 2.2,
      parameters,
      onError: 'regular_output',
      given: [{ v: text }],
    });
    await expect(call).rejects.toThrow('computes longer');
  });

  it('is a pattern that is none: false', async () => {
    expect(await passing('string', ['regex', '('], ['('])).toEqual([]);
  });
});

describe('values that say odd things of themselves', () => {
  const ODD = [{ toString: 1, valueOf: 1 }, [{ toString: 1 }], ['__proto__']];

  it.each([
    ['number', 'gt'],
    ['string', 'equals'],
    ['dateTime', 'after'],
    ['boolean', 'true'],
    ['array', 'lengthGt'],
    ['object', 'notEmpty'],
  ])('are judged as %s, or not', async (type, operation) => {
    const right = operation === 'gt' || operation === 'lengthGt' ? 5 : '';
    const options = { typeValidation: 'loose' };
    const passed = await passing(type, [operation, right], ODD, options);
    expect(
      passed.every((one) => ODD.some((odd) => JSON.stringify(odd) === JSON.stringify(one))),
    ).toBe(true);
  });
});

describe('settings that the source does not take for conditions', () => {
  it.each([{}, { conditions: {} }, { conditions: { conditions: [], combinator: 'and' } }])(
    '%j let all pass',
    async (parameters) => {
      const step = { type: 'if', version: 2.2, parameters, given: [{ v: 1 }] } as const;
      expect(fieldsOf(await callHandler(evaluator, step))).toEqual([[{ v: 1 }], []]);
    },
  );
});

describe('conditions of version 1', () => {
  function old(type: string, condition: JsonObject, value: unknown) {
    const filled = { value1: '={{ $json.v }}', ...condition };
    const step = { parameters: { conditions: { [type]: [filled] } }, given: given([value]) };
    return callHandler(evaluator, { type: 'if', version: 1, ...step });
  }

  it.each([
    ['string', { operation: 'notContains', value2: 'x' }, MISSING, true],
    ['string', { operation: 'endsWith', value2: 'c' }, 'abc', true],
    ['string', { operation: 'notStartsWith', value2: 'a' }, 'abc', false],
    ['string', { operation: 'isNotEmpty' }, [], false],
    ['number', {}, -1, true],
    ['number', { operation: 'smaller', value2: '={{ "9" }}' }, '10', true],
    ['number', { operation: 'largerEqual', value2: 0 }, null, true],
    ['number', { operation: 'isEmpty' }, '', true],
    ['dateTime', { operation: 'before', value2: '2024-01-01T00:00:01' }, '2024-01-01', true],
    ['boolean', { operation: 'notEqual' }, false, false],
  ] as const)('%s %j of %j', async (type, condition, value, holds) => {
    const [yes] = fieldsOf(await old(type, condition, value));
    expect(yes).toHaveLength(holds ? 1 : 0);
  });

  it('fail as a whole where a date is none, or a text is missing', async () => {
    await expect(old('dateTime', { value2: '2024-01-01' }, 'x')).rejects.toThrow('valid DateTime');
    await expect(old('string', { operation: 'endsWith', value2: 'a' }, MISSING)).rejects.toThrow(
      "reading 'endsWith'",
    );
  });

  it('and pass the items on where the run goes on', async () => {
    const answer = await callHandler(evaluator, {
      type: 'filter',
      version: 1,
      parameters: { conditions: { dateTime: [{ value1: 'x', value2: 'y' }] } },
      onError: 'regular_output',
      given: [{ v: 1 }],
    });
    expect(fieldsOf(answer)).toEqual([[{ v: 1 }]]);
  });
});

describe('Switch', () => {
  it('of version 2 has one output for each rule, and none for what matches none', async () => {
    const rules = { rules: [{ value2: 'a' }, { operation: 'regex', value2: 'b' }] };
    const parameters = { dataType: 'string', value1: '={{ $json.v }}', rules };
    const step = {
      type: 'switch',
      version: 2,
      parameters,
      given: given(['bb', 'a', 'c']),
    } as const;
    expect(fieldsOf(await callHandler(evaluator, step))).toEqual([[{ v: 'a' }], [{ v: 'bb' }]]);
  });

  it.each(['x', '', null, 1.5, -1, 2])('has no output %j', async (v) => {
    const parameters = { mode: 'expression', numberOutputs: 2, output: '={{ $json.v }}' };
    const call = callHandler(evaluator, { type: 'switch', version: 3, parameters, given: [{ v }] });
    await expect(call).rejects.toThrow(/not allowed/);
  });

  it('without rules gives nothing', async () => {
    const step = { type: 'switch', version: 3.4, parameters: {}, given: [{ v: 1 }] } as const;
    expect(fieldsOf(await callHandler(evaluator, step))).toEqual([[]]);
  });
});
