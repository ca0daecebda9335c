import { z } from 'zod';
import { t } from '../../../../preload/texts/t.ts';
import { isJsonObject, type Json } from '../../../../server/kernel/json.ts';

const OUTPUT_CHECKS = ['equals', 'contains', 'json'] as const;
/** States that a case may expect; `any` looks at the output alone. */
const EXPECTED_STATES = ['completed', 'failed', 'blocked', 'any'] as const;

/** What the run of a case is to come to. */
export const expectation = z.object({
  status: z.enum(EXPECTED_STATES),
  /** Null where the output does not matter. */
  output: z.object({ how: z.enum(OUTPUT_CHECKS), text: z.string() }).nullable(),
});
export type Expectation = z.output<typeof expectation>;

/** A run as far as it is checked. */
export interface CheckedRun {
  readonly status: string;
  readonly is_terminal: boolean;
  readonly output_text: string | null;
}

/** Whether a run is what its case expects; `waiting` while that is open. */
export type CaseResult =
  | { readonly result: 'waiting' | 'passed' }
  | { readonly result: 'failed'; readonly reasons: readonly string[] };

function readJson(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

/** Why what is expected cannot be looked for; null when it can. */
export function expectationFault({ output }: Expectation): string | null {
  return output?.how === 'json' && readJson(output.text) === undefined
    ? t('This is no JSON.')
    : null;
}

const MAX_SHOWN = 60;

function shown(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

/**
 * The first place where a value lacks what is expected of it: an object may have more keys, a list
 * has the same length. Undefined where it has all.
 */
function lackIn(expected: Json, actual: Json | undefined, place: string): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return t('{place} is no list.', { place });
    if (actual.length !== expected.length) {
      return t('{place} has {count} items, not {count2}.', {
        place,
        count: actual.length,
        count2: expected.length,
      });
    }
    return firstLack(
      expected.map((item, index) => () => lackIn(item, actual[index], `${place}[${index}]`)),
    );
  }
  if (isJsonObject(expected)) {
    if (!isJsonObject(actual)) return t('{place} is no object.', { place });
    return firstLack(
      Object.entries(expected).map(([key, item]) => () => {
        const own = Object.hasOwn(actual, key) ? actual[key] : undefined;
        return lackIn(item, own, `${place}.${key}`);
      }),
    );
  }
  return expected === actual
    ? undefined
    : t('{place} is {actual}, not {expected}.', {
        place,
        actual: shown(actual),
        expected: shown(expected),
      });
}

function firstLack(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const lack = look();
    if (lack !== undefined) return lack;
  }
  return undefined;
}

function outputLack(
  { how, text }: NonNullable<Expectation['output']>,
  output: string,
): string | undefined {
  if (how === 'equals') {
    return output.trim() === text.trim() ? undefined : t('The output is another text.');
  }
  if (how === 'contains') {
    return output.includes(text) ? undefined : t('The output does not contain "{text}".', { text });
  }
  const expected = readJson(text);
  if (expected === undefined) return t('What is expected is no JSON.');
  const actual = readJson(output);
  return actual === undefined
    ? t('The output is no JSON.')
    : lackIn(expected.value, actual.value, 'output');
}

/** Looks whether a run is what its case expects. Blanks around a whole output do not count. */
export function checkCase({ status, output }: Expectation, run: CheckedRun): CaseResult {
  const there = status === 'any' || run.status === status;
  if (!run.is_terminal && !(there && run.status === 'blocked')) return { result: 'waiting' };
  const reasons = there
    ? []
    : [
        t('It is {replaceAll}, not {status}.', {
          replaceAll: run.status.replaceAll('_', ' '),
          status,
        }),
      ];
  const lack = output === null ? undefined : outputLack(output, run.output_text ?? '');
  if (lack !== undefined) reasons.push(lack);
  return reasons.length === 0 ? { result: 'passed' } : { result: 'failed', reasons };
}

/** What is expected, in few words. */
export function expectationText({ status, output }: Expectation): string {
  const state = status === 'any' ? [] : [status];
  const words = { equals: t('output is'), contains: t('output contains'), json: t('output has') };
  const text = output === null ? [] : [`${words[output.how]} ${output.text}`];
  return [...state, ...text].join(', ') || t('any end');
}
