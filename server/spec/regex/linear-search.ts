import type { CharacterTest } from './characters.ts';
import type { Operation, Program } from './program.ts';
import type { Subject } from './subject.ts';

/** Between two of so many characters whoever searches may let others work. */
const CHARACTERS_A_SLICE = 256;

/** For each look of a program: the positions at which it holds. */
type LookTable = readonly Uint8Array[];

/**
 * Runs a program over a text with all its possible states at once: the cost is at most instructions
 * times characters. `onMatch` hears of each position at which some match ends (or begins, when read
 * backward), whatever its other end; answering true stops.
 */
class Scan {
  private readonly operations: readonly Operation[];
  private readonly looks: LookTable;
  private readonly subject: Subject;
  private readonly seen: Int32Array;
  private round = 0;
  private characters: number[] = [];
  private matched = false;
  private lenient = false;

  constructor(program: Program, looks: LookTable, subject: Subject) {
    this.operations = program.operations;
    this.looks = looks;
    this.subject = subject;
    this.seen = new Int32Array(program.operations.length);
  }

  /**
   * The characters with which a match may begin; null when it may be empty. Assertions count as
   * fulfilled here.
   */
  private beginnings(): readonly CharacterTest[] | null {
    this.round += 1;
    this.lenient = true;
    this.reach([0], 0);
    this.lenient = false;
    if (this.matched) return null;
    return this.characters.flatMap((at) => {
      const operation = this.operations[at];
      return operation?.op === 'character' ? [operation.test] : [];
    });
  }

  *run(backward: boolean, onMatch: (index: number) => boolean): Generator<void, void> {
    const { length, codes } = this.subject;
    const beginnings = this.beginnings();
    const looked = lookCost(beginnings);
    let waiting: number[] = [];
    for (let count = 0; count <= length; count += 1) {
      if (count % CHARACTERS_A_SLICE === 0) yield;
      this.subject.step(waiting.length === 0 ? looked : 1);
      const index = backward ? length - count : count;
      const code = codes[backward ? index - 1 : index];
      if (waiting.length === 0 && !mayStart(beginnings, code)) continue;
      this.round += 1;
      waiting.push(0);
      this.reach(waiting, index);
      if (this.matched && onMatch(index)) return;
      waiting = this.advance(code);
    }
  }

  /** Finds all character instructions that can be reached here, and whether a match is. */
  private reach(stack: number[], index: number): void {
    this.characters = [];
    this.matched = false;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.seen[at] === this.round) continue;
      this.seen[at] = this.round;
      this.subject.step();
      this.follow(at, index, stack);
    }
  }

  private follow(at: number, index: number, stack: number[]): void {
    const operation = this.operations[at];
    switch (operation?.op) {
      case 'character':
        this.characters.push(at);
        return;
      case 'split':
        stack.push(operation.second, operation.first);
        return;
      case 'jump':
      case 'again':
        stack.push(operation.to);
        return;
      case 'position':
        if (this.lenient || this.subject.holds(operation.at, index)) stack.push(at + 1);
        return;
      case 'look':
        if (this.lenient || this.looks[operation.index]?.[index] === 1) stack.push(at + 1);
        return;
      case 'match':
        this.matched = true;
        return;
      default:
        stack.push(at + 1);
    }
  }

  /** Where the reached instructions lead over a character. */
  private advance(code: number | undefined): number[] {
    if (code === undefined) return [];
    const next: number[] = [];
    for (const at of this.characters) {
      const operation = this.operations[at];
      if (operation?.op !== 'character') continue;
      if (operation.cost > 1) this.subject.step(operation.cost);
      if (operation.test(code)) next.push(at + 1);
    }
    return next;
  }
}

/** Steps that one look at a character counts while nothing is matched. */
function lookCost(beginnings: readonly CharacterTest[] | null): number {
  return beginnings === null ? 1 : 1 + beginnings.length;
}

function mayStart(beginnings: readonly CharacterTest[] | null, code: number | undefined): boolean {
  if (beginnings === null) return true;
  return code !== undefined && beginnings.some((test) => test(code));
}

function* tableOf(program: Program, subject: Subject): Generator<void, LookTable> {
  const tables: Uint8Array[] = [];
  for (const look of program.looks) {
    const sub = look.behind ? look.forward : look.backward;
    subject.step(subject.length);
    const table = new Uint8Array(subject.length + 1).fill(look.negative ? 1 : 0);
    const inner = yield* tableOf(sub, subject);
    yield* new Scan(sub, inner, subject).run(!look.behind, (index) => {
      table[index] = look.negative ? 0 : 1;
      return false;
    });
    tables.push(table);
  }
  return tables;
}

/**
 * Whether a program without backreferences, conditionals and atomic parts matches anywhere. Yields
 * now and then so that whoever searches can let others work.
 */
export function* linearSearch(program: Program, subject: Subject): Generator<void, boolean> {
  let found = false;
  const looks = yield* tableOf(program, subject);
  yield* new Scan(program, looks, subject).run(false, () => {
    found = true;
    return true;
  });
  return found;
}
