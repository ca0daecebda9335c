import { linearSearch } from './linear-search.ts';
import { parsePattern } from './parse-pattern.ts';
import { type CompiledPattern, compileTree } from './program.ts';
import { PatternTooLarge, programSize } from './program-size.ts';
import { OutOfSteps, StepBudget, type Subject } from './subject.ts';
import { tryingSearch } from './trying-search.ts';

/** `undecided`: the search used up its steps. */
export type SearchResult = 'found' | 'absent' | 'undecided';

/** Searches a text for a pattern; each yield is a moment at which others may work. */
export type PatternSearch = (subject: Subject, budget: StepBudget) => Generator<void, SearchResult>;

/** Steps of one search that can only try. */
const TRYING_STEPS = 1_000_000;
/** A longer pattern has more instructions than are allowed. */
const MAX_LENGTH = 40_000;
/** Larger programs are made anew for each search: those of all patterns together would fill the memory. */
const KEPT_OPERATIONS = 128;

function* decide(
  compiled: CompiledPattern,
  subject: Subject,
  budget: StepBudget,
): Generator<void, boolean> {
  if (compiled.linear) return yield* linearSearch(compiled.program, subject);
  const own = new StepBudget(Math.min(TRYING_STEPS, budget.left));
  try {
    return tryingSearch(compiled, subject.within(own));
  } finally {
    budget.take(own.used);
  }
}

/**
 * A guardrail pattern (spec-v1 11.4) as a search over texts with the meaning that it has in the
 * authors' dialect. It always ends: within the steps of the budget, which grow with pattern times
 * text, and for backreferences, conditionals and atomic parts after a fixed number.
 * @throws SyntaxError when it is no regular expression or unfolds to too many instructions.
 */
export function readPattern(pattern: string): PatternSearch {
  if (pattern.length > MAX_LENGTH) throw new PatternTooLarge('pattern is too large');
  const { tree, groups } = parsePattern(pattern);
  const size = programSize(tree);
  let kept: CompiledPattern | undefined;
  return function* search(subject, budget) {
    try {
      if (kept === undefined) budget.take(size);
      const compiled = kept ?? compileTree(tree, groups);
      if (size <= KEPT_OPERATIONS) kept = compiled;
      return (yield* decide(compiled, subject, budget)) ? 'found' : 'absent';
    } catch (cause) {
      if (cause instanceof OutOfSteps) return 'undecided';
      throw cause;
    }
  };
}
