import { expect, test } from 'vitest';
import { z } from 'zod';
import { StartRefusal } from '../kernel/start-refusal.ts';
import {
  flag,
  givenText,
  ignoring,
  integerOf,
  jsonOf,
  list,
  numberOf,
  optional,
  portNumber,
  readSettings,
  setting,
  settingsGroup,
  strayVariables,
  text,
  unusable,
  wordOf,
  wordsOf,
} from './settings.ts';

const GROUP = settingsGroup({
  title: 'Test',
  prefix: 'OWN_',
  alias: 'OLD_',
  settings: {
    NAME: optional(text, 'A name.'),
    ON: setting(flag, false, 'A flag.'),
    COUNT: setting(integerOf(1), 5, 'A count.'),
    WAIT: setting(numberOf({ above: 0, most: 10 }), 2, 'Seconds.'),
    PORT: setting(portNumber, 80, 'A port.'),
    MODE: setting(wordOf(['Fast', 'slow']), 'slow', 'A word.'),
    NAMES: setting(list, ['a'], 'Names.'),
    KINDS: setting(wordsOf(['x', 'y']), ['x', 'y'], 'Kinds.'),
    MAP: setting(jsonOf(z.record(z.string(), z.number()), 'a JSON object'), {}, 'A map.'),
    MILD: ignoring(setting(integerOf(1), 7, 'A mild count.')),
    GONE: unusable('it is of another program'),
  },
});
const read = (env: Readonly<Record<string, string>>) => readSettings(GROUP, env);

test('what is not set, or blank, is at its standard', () => {
  const standard = {
    NAME: undefined,
    ON: false,
    COUNT: 5,
    WAIT: 2,
    PORT: 80,
    MODE: 'slow',
    NAMES: ['a'],
    KINDS: ['x', 'y'],
    MAP: {},
    MILD: 7,
    GONE: undefined,
  };
  expect(read({})).toEqual(standard);
  expect(read({ OWN_NAME: '', OWN_ON: '  ', OLD_COUNT: ' ' })).toEqual(standard);
});

test('our name wins over that of the reference, which counts where ours is blank', () => {
  expect(read({ OWN_COUNT: '2', OLD_COUNT: '3' }).COUNT).toBe(2);
  expect(read({ OWN_COUNT: ' ', OLD_COUNT: '3' }).COUNT).toBe(3);
  expect(givenText({ prefix: 'OWN_', alias: undefined }, 'A', { OLD_A: '1' })).toBeUndefined();
});

test.for<[name: keyof (typeof GROUP)['settings'], given: string, value: unknown]>([
  ['NAME', '  a b ', 'a b'],
  ['ON', 'YES', true],
  ['ON', 'off', false],
  ['WAIT', '0.5', 0.5],
  ['WAIT', '1e9', 10],
  ['PORT', '0', 0],
  ['MODE', 'FAST', 'Fast'],
  ['NAMES', ' a ,, b,', ['a', 'b']],
  ['KINDS', 'y', ['y']],
  ['MAP', '{"a":1}', { a: 1 }],
  ['MILD', '-3', 7],
  ['MILD', '3', 3],
])('%s=%s is read', ([name, given, value]) => {
  expect(read({ [`OWN_${name}`]: given })[name]).toEqual(value);
});

test.for<[name: string, given: string, form: string]>([
  ['ON', 'flase', 'one of 1, true, yes, on, 0, false, no, off'],
  ['COUNT', '0', 'an integer of at least 1'],
  ['COUNT', '1.5', 'an integer of at least 1'],
  ['COUNT', 'many', 'an integer of at least 1'],
  ['WAIT', '0', 'a number greater than 0'],
  ['WAIT', 'Infinity', 'a number greater than 0'],
  ['PORT', '70000', 'an integer of at least 0 and at most 65535'],
  ['MODE', 'fats', 'one of Fast, slow'],
  ['KINDS', 'x,z', 'a list with commas of x, y'],
  ['MAP', '{', 'a JSON object'],
  ['MAP', '{"a":"b"}', 'a JSON object'],
  ['GONE', '1', 'unset: it does nothing here, since it is of another program'],
])('%s=%s stops the start', ([name, given, form]) => {
  const attempt = () => read({ [`OLD_${name}`]: given });
  expect(attempt).toThrow(StartRefusal);
  expect(attempt).toThrow(`OWN_${name} must be ${form}.`);
});

test('a slip in a name is told, also when the name is of another group of the prefix', () => {
  const other = { prefix: 'OWN_', settings: { COUNTY: {} } };
  const env = { OWN_COUNTY: '1', OWN_CONUT: '1', OWN_ELSE: '1' };
  expect(strayVariables(env, [GROUP, other])).toEqual([
    { setting: 'OWN_CONUT', meant: 'OWN_COUNT' },
  ]);
});
