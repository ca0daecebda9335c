import { t } from '../../../preload/texts/t.ts';
import { readPattern } from '../../../server/spec/regex/search-pattern.ts';
import { OutOfSteps, StepBudget, Subject } from '../../../server/spec/regex/subject.ts';

/** What is looked for. */
export interface FindQuery {
  readonly text: string;
  /** The text is a pattern of the language's own dialect, which always ends. */
  readonly pattern: boolean;
  readonly exact: boolean;
}

/** A line in which it stands; `at` is where, null where a pattern does not tell. */
export interface FoundLine {
  readonly line: number;
  readonly text: string;
  readonly at: { readonly start: number; readonly end: number } | null;
}

/** The lines of a text; `more` were found beyond those, `whole` is false where the search gave up. */
export interface FoundIn {
  readonly lines: readonly FoundLine[];
  readonly more: number;
  readonly whole: boolean;
}

/** Finds lines of a text. */
export type Finder = (text: string) => FoundIn;

const MOST_LINES = 200;
/** Steps of a pattern in one text. */
const STEPS = 20_000_000;
const LONGEST_LINE = 400;

type LineSearch = (line: string) => FoundLine['at'] | 'somewhere' | 'undecided' | undefined;

function plainSearch({ text, exact }: FindQuery): LineSearch {
  const wanted = exact ? text : text.toLowerCase();
  return (line) => {
    const start = (exact ? line : line.toLowerCase()).indexOf(wanted);
    return start < 0 ? undefined : { start, end: start + wanted.length };
  };
}

function patternSearch(search: ReturnType<typeof readPattern>): LineSearch {
  const budget = new StepBudget(STEPS);
  return (line) => {
    try {
      const steps = search(Subject.of(line, budget), budget);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      if (step.value === 'absent') return undefined;
      return step.value === 'found' ? 'somewhere' : 'undecided';
    } catch (error) {
      if (error instanceof OutOfSteps) return 'undecided';
      throw error;
    }
  };
}

function found(text: string, search: LineSearch): FoundIn {
  const lines: FoundLine[] = [];
  let more = 0;
  let whole = true;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const hit = search(line);
    if (hit === 'undecided') whole = false;
    if (hit === undefined || hit === 'undecided') continue;
    if (lines.length === MOST_LINES) more += 1;
    else {
      const at = hit === 'somewhere' ? null : hit;
      lines.push({ line: index + 1, text: line.slice(0, LONGEST_LINE), at });
    }
  }
  return { lines, more, whole };
}

/** What finds a query in texts; undefined for an empty one, and why a pattern cannot be read. */
export function finderOf(query: FindQuery): Finder | { readonly problem: string } | undefined {
  if (query.text === '') return undefined;
  if (!query.pattern) return (text) => found(text, plainSearch(query));
  try {
    const search = readPattern(query.exact ? query.text : `(?i)${query.text}`);
    return (text) => found(text, patternSearch(search));
  } catch (error) {
    if (error instanceof SyntaxError)
      return { problem: t('No pattern: {message}.', { message: error.message }) };
    throw error;
  }
}
