import { isObject, type Json } from '../kernel/json.ts';
import { type PatternSearch, readPattern } from '../spec/regex/search-pattern.ts';
import { OutOfSteps, StepBudget, Subject } from '../spec/regex/subject.ts';
import type { CheckText } from './effect.ts';

/**
 * Steps of all looks of one guardrail stage at one text, in sum over its guardrails, patterns and
 * keywords: about a quarter of a second.
 */
export const GUARD_STEPS = 20_000_000;

/** A pattern or keyword as it is written, and its search. */
export interface GuardLook {
  readonly text: string;
  readonly search: PatternSearch;
}

/** What the looks of one guardrail found, and the steps that they took. */
export interface GuardFinding {
  readonly found: readonly string[];
  readonly undecided: readonly string[];
  readonly steps: number;
}

/** Characters that a search for a fixed word passes in the time of one step. */
const CHARACTERS_A_STEP = 8;
/** From so many characters on, a word is compared again at each place of a text made for that. */
const LONG_WORD = 256;

/** A keyword as a look: case does not count. */
export function keywordLook(text: string): GuardLook {
  const word = text.toLowerCase();
  return {
    text,
    // biome-ignore lint/correctness/useYield: a look for a word is over before others would wait
    *search(subject, budget) {
      const rounds = 1 + Math.floor(word.length / LONG_WORD);
      try {
        budget.take(1 + Math.ceil((subject.length / CHARACTERS_A_STEP) * rounds));
      } catch (cause) {
        if (cause instanceof OutOfSteps) return 'undecided';
        throw cause;
      }
      return subject.lower.includes(word) ? 'found' : 'absent';
    },
  };
}

/** A pattern as a look. @throws SyntaxError as readPattern. */
export function patternLook(text: string): GuardLook {
  return { text, search: readPattern(text) };
}

/**
 * Looks for everything in a text, within so many steps in sum. What the steps do not suffice for is
 * undecided. Yields now and then so that whoever looks can let others work.
 */
export function* checkText(
  looks: readonly GuardLook[],
  text: string,
  steps: number,
): Generator<void, GuardFinding> {
  const budget = new StepBudget(steps);
  const found: string[] = [];
  const undecided: string[] = [];
  let subject: Subject;
  try {
    subject = Subject.of(text, budget);
  } catch (cause) {
    if (!(cause instanceof OutOfSteps)) throw cause;
    return { found, undecided: looks.map((look) => look.text), steps };
  }
  for (const look of looks) {
    const result = yield* look.search(subject, budget);
    if (result === 'found') found.push(look.text);
    else if (result === 'undecided') undecided.push(look.text);
    yield;
  }
  return { found, undecided, steps: Math.min(budget.used, steps) };
}

/** {@link checkText} without a pause. */
export function checkTextNow(
  looks: readonly GuardLook[],
  text: string,
  steps: number,
): GuardFinding {
  const looking = checkText(looks, text, steps);
  let moment = looking.next();
  while (moment.done !== true) moment = looking.next();
  return moment.value;
}

/** The looks that an effect asks for. */
export function looksOf({ looks, words }: Pick<CheckText, 'looks' | 'words'>): GuardLook[] {
  return words.map(looks === 'regex' ? patternLook : keywordLook);
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A finding that came back as the answer of an effect. */
export function findingOf(value: Json): GuardFinding | undefined {
  if (!isObject(value) || typeof value['steps'] !== 'number') return undefined;
  const { steps } = value;
  return { found: texts(value['found']), undecided: texts(value['undecided']), steps };
}
