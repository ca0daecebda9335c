import { type Node, parse, parseExpressionAt, tokenizer } from 'acorn';
import type { CompiledExpression } from '../guest/evaluate.ts';
import { type KnownNames, RefusedExpression, rewrite } from './rewrite.ts';
import { splitTemplate } from './split-template.ts';
import type { AnyNode } from './syntax.ts';

const OPTIONS = { ecmaVersion: 'latest' } as const;
/** No author writes so much into one field; acorn needs the stack for what is nested. */
const LONGEST = 200_000;
const INVALID = 'invalid syntax';

/** The first expression of the code; behind it there may be more after a semicolon, which is not used. */
function firstExpression(code: string): Node {
  const root = parseExpressionAt(code, 0, OPTIONS);
  const rest = code.slice(root.end);
  let behind = 0;
  for (const token of tokenizer(rest, OPTIONS)) {
    // A closing bracket around the whole expression is not part of its node.
    if (token.type.label === ')') continue;
    behind = token.type.label === ';' ? 0 : 1;
    break;
  }
  if (behind > 0) throw new RefusedExpression(INVALID);
  parse(code.startsWith('{') || /^\s*\{/.test(code) ? `(${code.replace(/;\s*$/, '')}\n)` : code, {
    ...OPTIONS,
    allowReturnOutsideFunction: false,
  });
  return root;
}

/** The tree of an expression; null when its text is none. */
export function expressionIn(code: string): AnyNode | null {
  try {
    return firstExpression(code) as AnyNode;
  } catch (error) {
    if (isNoSyntax(error) || error instanceof RefusedExpression) return null;
    throw error;
  }
}

/** What the parser throws: also where the stack was too short for it. */
function isNoSyntax(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof RangeError;
}

function codeOf(code: string, known: KnownNames) {
  if (code.trim() === '' || code.length > LONGEST) throw new RefusedExpression(INVALID);
  try {
    return rewrite(code, firstExpression(code) as AnyNode, known);
  } catch (error) {
    throw isNoSyntax(error) ? new RefusedExpression(INVALID) : error;
  }
}

/** Compiles the text of a field behind its `=`. */
export function compileExpression(template: string, known: KnownNames): CompiledExpression {
  const parts = splitTemplate(template);
  const isTemplate = parts.length !== 1 || parts.some((part) => 'text' in part);
  const base = { isTemplate, mutates: false, isSuspect: false };
  try {
    let mutates = false;
    let isSuspect = false;
    const chunks = parts.map((part) => {
      if ('text' in part) return part.text;
      const rewritten = codeOf(part.code, known);
      mutates ||= rewritten.mutates;
      isSuspect ||= rewritten.isSuspect;
      return { code: rewritten.code };
    });
    return { chunks, isTemplate, mutates, isSuspect };
  } catch (error) {
    if (error instanceof RefusedExpression) return { ...base, chunks: [], refused: error.message };
    throw error;
  }
}
