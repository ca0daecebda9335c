import { wordTest } from './characters.ts';
import type { Position } from './syntax-tree.ts';

const NEWLINE = 10;
const isWord = wordTest(false);
const isAsciiWord = wordTest(true);

/** Thrown when a search has used up its steps. */
export class OutOfSteps extends Error {}

/** A text as code points, and the steps that are left for a search in it. */
export class Subject {
  readonly codes: readonly number[];
  private stepsLeft: number;

  constructor(text: string, steps: number) {
    this.codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    this.stepsLeft = steps;
  }

  get length(): number {
    return this.codes.length;
  }

  /** Counts one step. */
  step(): void {
    this.stepsLeft -= 1;
    if (this.stepsLeft < 0) throw new OutOfSteps();
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
