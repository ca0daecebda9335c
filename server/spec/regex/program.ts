import type { CharacterTest } from './characters.ts';
import type { Position, Tree } from './syntax-tree.ts';
import { widthOf } from './syntax-tree.ts';

/** One instruction; without a jump the next one follows. */
export type Operation =
  | { readonly op: 'character'; readonly test: CharacterTest; readonly cost: number }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { readonly op: 'position'; readonly at: Position }
  | { readonly op: 'look'; readonly index: number }
  | { readonly op: 'save'; readonly slot: number }
  /** A loop begins another round, and jumps back when the round took something. */
  | { readonly op: 'mark'; readonly slot: number }
  | { readonly op: 'again'; readonly slot: number; readonly to: number }
  | { readonly op: 'backreference'; readonly group: number; readonly caseless: boolean }
  | { readonly op: 'atomic'; readonly program: Program }
  | { op: 'condition'; readonly group: number; no: number }
  | { readonly op: 'match' };

/** A look ahead or behind that a pattern makes. */
export interface Look {
  readonly behind: boolean;
  readonly negative: boolean;
  readonly width: number;
  /** Reads towards the end of the text. */
  readonly forward: Program;
  /** Reads towards its beginning: look-ahead in linear time. */
  readonly backward: Program;
}

/** Operations that a search walks through, and the looks that they name by number. */
export interface Program {
  readonly operations: readonly Operation[];
  readonly looks: readonly Look[];
}

/** A pattern ready to search with. */
export interface CompiledPattern {
  readonly program: Program;
  /** False for backreferences, conditionals and atomic parts: only trying can decide them. */
  readonly linear: boolean;
  readonly slots: number;
}

interface Shared {
  slots: number;
  linear: boolean;
}

class Compiler {
  private readonly shared: Shared;
  private readonly backward: boolean;
  private readonly operations: Operation[] = [];
  private readonly looks: Look[] = [];

  constructor(shared: Shared, backward: boolean) {
    this.shared = shared;
    this.backward = backward;
  }

  compile(tree: Tree): Program {
    this.emit(tree);
    this.push({ op: 'match' });
    return { operations: this.operations, looks: this.looks };
  }

  private push<T extends Operation>(operation: T): T {
    this.operations.push(operation);
    return operation;
  }

  private get here(): number {
    return this.operations.length;
  }

  private emit(tree: Tree): void {
    switch (tree.kind) {
      case 'character':
        this.push({ op: 'character', test: tree.test, cost: tree.cost });
        return;
      case 'sequence':
        for (const item of this.backward ? tree.items.toReversed() : tree.items) this.emit(item);
        return;
      case 'choice':
        this.choice(tree.items);
        return;
      case 'repeat':
        this.repeat(tree);
        return;
      case 'group':
        this.push({ op: 'save', slot: 2 * tree.index });
        this.emit(tree.item);
        this.push({ op: 'save', slot: 2 * tree.index + 1 });
        return;
      case 'position':
        this.push({ op: 'position', at: tree.at });
        return;
      case 'look':
        this.look(tree);
        return;
      case 'backreference':
        this.shared.linear = false;
        this.push({ op: 'backreference', group: tree.group, caseless: tree.caseless });
        return;
      case 'atomic':
        this.atomic(tree.item);
        return;
      case 'condition':
        this.condition(tree);
    }
  }

  private choice(items: readonly Tree[]): void {
    const ends: { to: number }[] = [];
    items.forEach((item, index) => {
      if (index === items.length - 1) {
        this.emit(item);
        return;
      }
      const split = this.push({ op: 'split', first: this.here + 1, second: 0 });
      this.emit(item);
      ends.push(this.push({ op: 'jump', to: 0 }));
      split.second = this.here;
    });
    for (const end of ends) end.to = this.here;
  }

  private repeat(tree: Tree & { readonly kind: 'repeat' }): void {
    if (tree.mode === 'possessive') {
      this.atomic({ ...tree, mode: 'greedy' });
      return;
    }
    const lazy = tree.mode === 'lazy';
    for (let round = 0; round < tree.min; round += 1) this.emit(tree.item);
    if (tree.max === Number.POSITIVE_INFINITY) this.loop(tree.item, lazy);
    else this.atMost(tree.item, tree.max - tree.min, lazy);
  }

  private loop(item: Tree, lazy: boolean): void {
    const slot = this.shared.slots;
    this.shared.slots += 1;
    const start = this.here;
    const split = this.push({ op: 'split', first: start + 1, second: start + 1 });
    this.push({ op: 'mark', slot });
    this.emit(item);
    this.push({ op: 'again', slot, to: start });
    if (lazy) split.first = this.here;
    else split.second = this.here;
  }

  private atMost(item: Tree, rounds: number, lazy: boolean): void {
    const splits: { first: number; second: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const inner = this.here + 1;
      splits.push(this.push({ op: 'split', first: inner, second: inner }));
      this.emit(item);
    }
    for (const split of splits) {
      if (lazy) split.first = this.here;
      else split.second = this.here;
    }
  }

  private sub(tree: Tree, backward: boolean): Program {
    return new Compiler(this.shared, backward).compile(tree);
  }

  private look(tree: Tree & { readonly kind: 'look' }): void {
    const { behind, negative } = tree;
    const [width] = widthOf(tree.item);
    const forward = this.sub(tree.item, false);
    const backward = behind ? forward : this.sub(tree.item, true);
    this.looks.push({ behind, negative, width, forward, backward });
    this.push({ op: 'look', index: this.looks.length - 1 });
  }

  private atomic(item: Tree): void {
    this.shared.linear = false;
    this.push({ op: 'atomic', program: this.sub(item, false) });
  }

  private condition(tree: Tree & { readonly kind: 'condition' }): void {
    this.shared.linear = false;
    const test = this.push({ op: 'condition', group: tree.group, no: 0 });
    this.emit(tree.yes);
    const end = this.push({ op: 'jump', to: 0 });
    test.no = this.here;
    this.emit(tree.no);
    end.to = this.here;
  }
}

/** Unfolds a tree to instructions. */
export function compileTree(tree: Tree, groups: number): CompiledPattern {
  const shared: Shared = { slots: 2 * groups + 2, linear: true };
  const program = new Compiler(shared, false).compile(tree);
  return { program, linear: shared.linear, slots: shared.slots };
}
