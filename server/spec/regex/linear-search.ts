import type { CharacterTest } from './characters.ts';
import type { Operation, Program } from './program.ts';
import type { Subject } from './subject.ts';

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

  run(backward: boolean, onMatch: (index: number) => boolean): void {
    const { length, codes } = this.subject;
    const beginnings = this.beginnings();
    let waiting: number[] = [];
    for (let count = 0; count <= length; count += 1) {
      const index = backward ? length - count : count;
      const code = codes[backward ? index - 1 : index];
      if (waiting.length === 0 && beginnings !== null && !startsWith(beginnings, code)) continue;
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
      if (operation?.op === 'character' && operation.test(code)) next.push(at + 1);
    }
    return next;
  }
}

function startsWith(beginnings: readonly CharacterTest[], code: number | undefined): boolean {
  return code !== undefined && beginnings.some((test) => test(code));
}

function tableOf(program: Program, subject: Subject): LookTable {
  return program.looks.map((look) => {
    const sub = look.behind ? look.forward : look.backward;
    const table = new Uint8Array(subject.length + 1).fill(look.negative ? 1 : 0);
    new Scan(sub, tableOf(sub, subject), subject).run(!look.behind, (index) => {
      table[index] = look.negative ? 0 : 1;
      return false;
    });
    return table;
  });
}

/** Whether a program without backreferences, conditionals and atomic parts matches anywhere. */
export function linearSearch(program: Program, subject: Subject): boolean {
  let found = false;
  new Scan(program, tableOf(program, subject), subject).run(false, () => {
    found = true;
    return true;
  });
  return found;
}
