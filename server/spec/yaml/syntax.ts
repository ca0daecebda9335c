import type { SourceNode } from './source-map.ts';

/** A fault of the text itself, with its extent. */
export interface SyntaxProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** The tree of a text, as far as it can be read, and what is wrong with the text. */
export interface SyntaxTree {
  readonly root: SourceNode | undefined;
  readonly problems: readonly SyntaxProblem[];
}

/** Documents nested deeper than this are refused, so that no walk over them can overflow. */
export const MAX_DEPTH = 200;

/** What a text is told that nests deeper. */
export const TOO_DEEP = `This is nested deeper than ${MAX_DEPTH} levels; flatten it.`;
