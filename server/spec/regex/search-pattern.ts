import { linearSearch } from './linear-search.ts';
import { parsePattern } from './parse-pattern.ts';
import { compileTree } from './program.ts';
import { OutOfSteps, Subject } from './subject.ts';
import { tryingSearch } from './trying-search.ts';

/** `undecided`: the search used up its steps. */
export type SearchResult = 'found' | 'absent' | 'undecided';

/** Searches a text for a pattern. */
export type PatternSearch = (text: string) => SearchResult;

/** Steps of one search: a few seconds at most. A step is one instruction looked at. */
const LINEAR_STEPS = 20_000_000;
const TRYING_STEPS = 1_000_000;

/**
 * A guardrail pattern (spec-v1 11.4) as a search over texts with the meaning that it has in the
 * authors' dialect. It always ends: in time that grows with pattern times text, and for
 * backreferences, conditionals and atomic parts after a fixed number of steps.
 * @throws SyntaxError when it is no regular expression or unfolds to too many instructions.
 */
export function searchPattern(pattern: string): PatternSearch {
  const { tree, groups } = parsePattern(pattern);
  const compiled = compileTree(tree, groups);
  return (text) => {
    const subject = new Subject(text, compiled.linear ? LINEAR_STEPS : TRYING_STEPS);
    try {
      const found = compiled.linear
        ? linearSearch(compiled.program, subject)
        : tryingSearch(compiled, subject);
      return found ? 'found' : 'absent';
    } catch (cause) {
      if (cause instanceof OutOfSteps) return 'undecided';
      throw cause;
    }
  };
}
