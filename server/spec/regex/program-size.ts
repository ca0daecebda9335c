import type { Tree } from './syntax-tree.ts';

/** Thrown when a pattern unfolds to more instructions than are allowed. */
export class PatternTooLarge extends SyntaxError {}

const MAX_OPERATIONS = 20_000;

function sum(items: readonly Tree[]): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}

function repeatSize(tree: Tree & { readonly kind: 'repeat' }): number {
  // An item that unfolds to nothing is gone through round by round as well.
  const item = Math.max(1, sizeOf(tree.item));
  const endless = tree.max === Number.POSITIVE_INFINITY;
  const more = endless ? item + 3 : (tree.max - tree.min) * (item + 1);
  return tree.min * item + more + (tree.mode === 'possessive' ? 2 : 0);
}

/** The number of instructions that a tree unfolds to, without unfolding it. */
function sizeOf(tree: Tree): number {
  switch (tree.kind) {
    case 'character':
    case 'position':
    case 'backreference':
      return 1;
    case 'sequence':
      return sum(tree.items);
    case 'choice':
      return sum(tree.items) + 2 * (tree.items.length - 1);
    case 'repeat':
      return repeatSize(tree);
    case 'group':
    case 'atomic':
      return sizeOf(tree.item) + 2;
    case 'look':
      // A look ahead is unfolded for both directions.
      return (tree.behind ? 1 : 2) * (sizeOf(tree.item) + 1) + 1;
    case 'condition':
      return sizeOf(tree.yes) + sizeOf(tree.no) + 2;
  }
}

/**
 * The number of instructions of a pattern.
 * @throws PatternTooLarge when repeats of repeats unfold too far.
 */
export function programSize(tree: Tree): number {
  const size = sizeOf(tree) + 1;
  if (size > MAX_OPERATIONS) throw new PatternTooLarge('pattern is too large');
  return size;
}
