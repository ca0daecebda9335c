import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../kernel/json.ts';
import { compileSpec } from '../spec/compile/compile.ts';
import { loadSpec } from '../spec/load/load-spec.ts';
import { validateSpec } from '../spec/rules/validate.ts';
import type { Spec } from '../spec/schema/spec-types.ts';
import { buildProgram } from './build-program.ts';
import { BuildFailure } from './program.ts';
import { type DrivenRun, drive, type TestHandlers, testSetup } from './testing/drive.ts';

/** Where a check is declared, and the text that it looks at when the input is `search my secret`. */
const PLACES = {
  'root input': { holder: 'agent', stage: 'input' },
  'root output': { holder: 'agent', stage: 'output' },
  'root tool': { holder: 'agent', stage: 'tool' },
  'root workflow': { holder: 'agent', stage: 'workflow' },
  'component input': { holder: 'part', stage: 'input' },
  'component output': { holder: 'part', stage: 'output' },
  'component tool': { holder: 'part', stage: 'tool' },
  'component workflow': { holder: 'part', stage: 'workflow' },
} as const;
type Place = (typeof PLACES)[keyof typeof PLACES];

const HANDLERS: TestHandlers = {
  't.find': () => 'a secret',
  'f.no': () => false,
  'f.yes': () => true,
};

const WORKER: JsonObject = {
  name: 'w',
  strategy: 'react',
  model: { provider: 'dummy', name: 'd' },
  tools: ['web_search'],
};

function specWith({ holder, stage }: Place, checks: Json): Spec {
  const guarded = { ...WORKER, guardrails: { [stage]: checks } };
  const workflow =
    holder === 'part' || stage === 'workflow'
      ? { workflow: { type: 'sequential', steps: [{ id: 's', kind: 'agent', ref: 'part' }] } }
      : {};
  const loaded = loadSpec({
    base: {
      version: 'v1',
      agent: holder === 'agent' ? guarded : WORKER,
      ...workflow,
      tools: { web_search: { description: 'd', implementation: 't.find' } },
      components: {
        agents: { part: holder === 'part' ? guarded : WORKER, no: { name: 'no' } },
        functions: { no: { implementation: 'f.no' }, yes: { implementation: 'f.yes' } },
      },
    },
  });
  if (loaded.spec === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.spec;
}

interface Tried {
  /** Places of the errors of validate. */
  readonly errors: readonly (string | null)[];
  readonly run: DrivenRun | undefined;
}

/** Validate, compile and run of a setting; they must refuse alike, with or without `strict`. */
function tried(place: Place, checks: Json): Tried {
  const spec = specWith(place, checks);
  const errors = validateSpec(spec).filter(({ severity }) => severity === 'error');
  const refused = errors.length > 0;
  expect(compileSpec(spec).ok).toBe(!refused);
  if (refused) {
    expect(() => buildProgram(spec)).toThrow(BuildFailure);
    return { errors: errors.map(({ path }) => path), run: undefined };
  }
  const run = drive(buildProgram(spec), testSetup('search my secret'), HANDLERS);
  return { errors: [], run };
}

function isStopped({ run }: Tried): boolean {
  return /GuardrailViolation/.test(run?.state.error?.type ?? '');
}

/** A value of every kind that JSON has, with what a list of texts makes of it: null = refused. */
const VALUES: readonly (readonly [Json | undefined, readonly string[] | null])[] = [
  [undefined, []],
  [null, null],
  ['', []],
  [[], []],
  [{}, []],
  ['secret', null],
  ['x', null],
  [0, null],
  [4711, null],
  [1.5, null],
  [true, null],
  [false, null],
  [{ secret: true }, null],
  [{ '0': 'secret' }, null],
  [['secret'], ['secret']],
  [
    ['none', 'secret'],
    ['none', 'secret'],
  ],
  [['none'], ['none']],
  [['secret', 1], null],
  [[1], null],
  [[null], null],
  [[true, 'secret'], null],
  [[['secret']], null],
  [[{ word: 'secret' }], null],
  [[''], ['']],
];

const LISTS = { keyword: 'keywords', regex: 'patterns' } as const;

describe.each(Object.entries(PLACES))('decisions 49, checks at %s', (_name, place) => {
  const at = place.holder === 'agent' ? 'agent' : 'components.agents.part';
  const looks = !(place.holder === 'part' && place.stage === 'workflow');

  test.each(Object.entries(LISTS))('%s: each kind of value is applied or refused', (type, list) => {
    for (const [value, wanted] of VALUES) {
      const config = value === undefined ? {} : { [list]: value };
      const result = tried(place, [{ id: 'g', type, config }]);
      const shown = JSON.stringify(config);
      if (wanted === null) {
        const [first] = result.errors;
        expect(first, shown).toContain(`${at}.guardrails.${place.stage}[0].config.${list}`);
      } else {
        expect(result.errors, shown).toEqual([]);
        const finds = wanted.some((word) => 'a secret'.includes(word));
        expect(isStopped(result), shown).toBe(finds && looks);
      }
    }
  });

  test('the config, the check and the stage: each kind of value is applied or refused', () => {
    const filled: Json[] = ['x', 1, 0, true, false, ['x'], [{}]];
    for (const value of filled) {
      const check = { id: 'g', type: 'keyword', config: value };
      expect(tried(place, [check]).errors).toEqual([`${at}.guardrails.${place.stage}[0].config`]);
    }
    for (const value of ['x', 1, null, true, ['x'], []]) {
      expect(tried(place, [value]).errors).toEqual([`${at}.guardrails.${place.stage}[0]`]);
    }
    for (const value of ['x', 1, 0, true, false, { id: 'g', type: 'keyword' }]) {
      expect(tried(place, value).errors).toEqual([`${at}.guardrails.${place.stage}`]);
    }
    for (const value of [null, '', [], {}]) expect(tried(place, value).errors).toEqual([]);
  });

  test.each(['function', 'agent'])('%s: ref names one or the check is refused', (type) => {
    for (const ref of [undefined, null, '', 'ghost', 'toString', 5, true, ['no'], { ref: 'no' }]) {
      const check: JsonObject = { id: 'g', type };
      if (ref !== undefined) check['ref'] = ref;
      expect(tried(place, [check]).errors).toEqual([`${at}.guardrails.${place.stage}[0].ref`]);
    }
    const sound = tried(place, [{ id: 'g', type, ref: 'no', config: { keywords: 'unread' } }]);
    expect(sound.errors).toEqual([]);
    expect(isStopped(sound)).toBe(looks);
  });

  test('types, modes and actions that nobody knows are refused', () => {
    const base = { id: 'g', type: 'keyword', config: { keywords: ['secret'] } };
    for (const type of ['ghost', 'Keyword', 'keyword ', 5, true, ['keyword'], { a: 1 }]) {
      expect(tried(place, [{ ...base, type }]).errors.length).toBeGreaterThan(0);
    }
    for (const action of ['explode', 5, true, ['block'], { block: true }]) {
      expect(tried(place, [{ ...base, action }]).errors.length).toBeGreaterThan(0);
    }
    for (const mode of ['runtime', 5, true, ['middleware']]) {
      expect(tried(place, [{ ...base, mode }]).errors.length).toBeGreaterThan(0);
    }
    for (const action of [null, '', 'block', 'retry', 'escalate', 'human_review']) {
      const result = tried(place, [{ ...base, action }]);
      expect(result.errors).toEqual([]);
      expect(isStopped(result)).toBe(looks);
    }
  });
});

/** What a guard function may answer, with whether the text passes; null = no verdict. */
const ANSWERS: readonly (readonly [Json, boolean | null])[] = [
  [true, true],
  [false, false],
  [{ passed: true }, true],
  [{ passed: false, reason: 'no' }, false],
  [null, null],
  ['', null],
  ['true', null],
  ['no', null],
  [0, null],
  [1, null],
  [[], null],
  [[true], null],
  [{}, null],
  [{ passed: null }, null],
  [{ passed: 'false' }, null],
  [{ passed: 0 }, null],
  [{ passed: 1 }, null],
  [{ ok: true }, null],
];

test.each(Object.entries(PLACES).filter(([name]) => name !== 'component workflow'))(
  'decisions 49: a guard function at %s passes a text by a verdict only',
  (_name, place) => {
    for (const [answer, passes] of ANSWERS) {
      const spec = specWith(place, [{ id: 'g', type: 'function', ref: 'no' }]);
      const run = drive(buildProgram(spec), testSetup('search my secret'), {
        ...HANDLERS,
        'f.no': () => answer,
      });
      const shown = JSON.stringify(answer);
      expect(run.state.status, shown).toBe(passes === true ? 'completed' : 'failed');
      if (passes !== null) continue;
      expect(run.state.error, shown).toMatchObject({ type: 'RuntimeError' });
      expect(run.state.error?.message, shown).toMatch(/^Guardrail 'g' gave no verdict/);
    }
  },
);
