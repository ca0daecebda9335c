import { wordTest } from './characters.ts';
import type { Position } from './syntax-tree.ts';

const NEWLINE = 10;
const isWord = wordTest(false);
const isAsciiWord = wordTest(true);

/** Thrown when a search has used up its steps. */
export class OutOfSteps extends Error {}

/** The steps that are left for all searches that share it. A step is one instruction looked at. */
export class StepBudget {
  #left: number;
  #used = 0;

  constructor(steps: number) {
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  get used(): number {
    return this.#used;
  }

  take(steps: number): void {
    this.#used += steps;
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfSteps();
  }
}

/** A text as code points, and the steps that are left for searches in it. */
export class Subject {
  readonly codes: readonly number[];
  readonly #text: string;
  readonly #budget: StepBudget;
  #lower: string | undefined;

  private constructor(text: string, codes: readonly number[], budget: StepBudget) {
    this.#text = text;
    this.codes = codes;
    this.#budget = budget;
  }

  /** @throws OutOfSteps for a text of more characters than steps. */
  static of(text: string, budget: StepBudget): Subject {
    budget.take(text.length);
    const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    return new Subject(text, codes, budget);
  }

  /** The same text, with the steps of another budget. */
  within(budget: StepBudget): Subject {
    return new Subject(this.#text, this.codes, budget);
  }

  /** Counts steps of a search. */
  step(steps = 1): void {
    this.#budget.take(steps);
  }

  /** The whole text in lower case. */
  get lower(): string {
    this.#lower ??= this.#text.toLowerCase();
    return this.#lower;
  }

  get length(): number {
    return this.codes.length;
  }

  private isWordAt(index: number, ascii: boolean): boolean {
    const code = this.codes[index];
    return code !== undefined && (ascii ? isAsciiWord(code) : isWord(code));
  }

  private isBoundary(index: number, ascii: boolean): boolean {
    return this.isWordAt(index - 1, ascii) !== this.isWordAt(index, ascii);
  }

  /** Whether an assertion holds between two characters. */
  holds(at: Position, index: number): boolean {
    const { codes, length } = this;
    switch (at) {
      case 'start':
        return index === 0;
      case 'end':
        return index === length;
      case 'end_or_newline':
        return index === length || (index === length - 1 && codes[index] === NEWLINE);
      case 'line_start':
        return index === 0 || codes[index - 1] === NEWLINE;
      case 'line_end':
        return index === length || codes[index] === NEWLINE;
      case 'boundary':
        return this.isBoundary(index, false);
      case 'no_boundary':
        return length > 0 && !this.isBoundary(index, false);
      case 'ascii_boundary':
        return this.isBoundary(index, true);
      case 'no_ascii_boundary':
        return length > 0 && !this.isBoundary(index, true);
    }
  }
}
