import type { CharacterTest } from './characters.ts';

/** Where a zero-width assertion holds. */
export type Position =
  | 'start'
  | 'end'
  /** At the end, or before a newline that ends the text. */
  | 'end_or_newline'
  | 'line_start'
  | 'line_end'
  | 'boundary'
  | 'no_boundary'
  | 'ascii_boundary'
  | 'no_ascii_boundary';

/** Fewest and most characters. */
export type Width = readonly [min: number, max: number];

/** A parsed pattern. */
export type Tree =
  | {
      readonly kind: 'character';
      readonly test: CharacterTest;
      /** Steps that a look at a character counts: a set of many items takes longer. */
      readonly cost: number;
    }
  | { readonly kind: 'sequence'; readonly items: readonly Tree[] }
  | { readonly kind: 'choice'; readonly items: readonly Tree[] }
  | {
      readonly kind: 'repeat';
      readonly item: Tree;
      readonly min: number;
      readonly max: number;
      readonly mode: 'greedy' | 'lazy' | 'possessive';
    }
  | { readonly kind: 'group'; readonly item: Tree; readonly index: number }
  | { readonly kind: 'position'; readonly at: Position }
  | {
      readonly kind: 'look';
      readonly item: Tree;
      readonly behind: boolean;
      readonly negative: boolean;
    }
  | {
      readonly kind: 'backreference';
      readonly group: number;
      readonly caseless: boolean;
      /** That of its group. */
      readonly width: Width;
    }
  | { readonly kind: 'atomic'; readonly item: Tree }
  | { readonly kind: 'condition'; readonly group: number; readonly yes: Tree; readonly no: Tree };

/** Matches the empty text. */
export const NOTHING: Tree = { kind: 'sequence', items: [] };

/** Groups in groups ask again for the widths of what they hold. */
const WIDTHS = new WeakMap<Tree, Width>();

/** Fewest and most characters that a tree covers. */
export function widthOf(tree: Tree): Width {
  const known = WIDTHS.get(tree);
  if (known !== undefined) return known;
  const width = measured(tree);
  WIDTHS.set(tree, width);
  return width;
}

function measured(tree: Tree): Width {
  switch (tree.kind) {
    case 'character':
      return [1, 1];
    case 'sequence':
      return tree.items.map(widthOf).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
    case 'choice':
      return narrowestToWidest(tree.items.map(widthOf));
    case 'condition':
      return narrowestToWidest([widthOf(tree.yes), widthOf(tree.no)]);
    case 'repeat': {
      const [min, max] = widthOf(tree.item);
      return [min * tree.min, max === 0 ? 0 : max * tree.max];
    }
    case 'group':
    case 'atomic':
      return widthOf(tree.item);
    case 'position':
    case 'look':
      return [0, 0];
    case 'backreference':
      return tree.width;
  }
}

function narrowestToWidest(widths: readonly Width[]): Width {
  return widths.reduce(([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)]);
}
