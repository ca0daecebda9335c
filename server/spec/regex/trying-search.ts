import { sameCaseless } from './characters.ts';
import type { CompiledPattern, Look, Operation, Program } from './program.ts';
import type { Subject } from './subject.ts';

/** Where to go on when what was tried fails. */
interface Choice {
  readonly at: number;
  readonly index: number;
  readonly slots: readonly number[];
}

const UNSET = -1;
const SLOTS_A_STEP = 8;

/**
 * Tries one way after the other, for what cannot be decided in linear time: backreferences,
 * conditionals, atomic parts. The steps of the subject bound it.
 */
class Attempt {
  private readonly subject: Subject;
  /** Steps that a copy of all slots counts. */
  private readonly copyCost: number;
  slots: number[];

  constructor(subject: Subject, slots: number) {
    this.subject = subject;
    this.copyCost = Math.ceil(slots / SLOTS_A_STEP);
    subject.step(this.copyCost);
    this.slots = Array.from({ length: slots }, () => UNSET);
  }

  /** The end of the first match of a program that begins at an index; undefined when there is none. */
  match(program: Program, start: number): number | undefined {
    const choices: Choice[] = [];
    let at = 0;
    let index: number | undefined = start;
    for (;;) {
      const operation = program.operations[at];
      if (operation === undefined) throw new RangeError('a program ends with match');
      if (operation.op === 'match') return index;
      this.subject.step();
      if (operation.op === 'split') {
        this.subject.step(this.copyCost);
        choices.push({ at: operation.second, index, slots: [...this.slots] });
        at = operation.first;
        continue;
      }
      const next = this.perform(program, operation, index);
      if (next !== undefined) {
        at = this.following(operation, at, index);
        index = next;
        continue;
      }
      const choice = choices.pop();
      if (choice === undefined) return undefined;
      at = choice.at;
      index = choice.index;
      this.slots = [...choice.slots];
    }
  }

  private following(operation: Operation, at: number, index: number): number {
    if (operation.op === 'jump') return operation.to;
    if (operation.op === 'again' && this.slots[operation.slot] !== index) return operation.to;
    if (operation.op === 'condition' && this.slots[2 * operation.group + 1] === UNSET) {
      return operation.no;
    }
    return at + 1;
  }

  /** The index after an instruction; undefined when it fails. */
  private perform(program: Program, operation: Operation, index: number): number | undefined {
    switch (operation.op) {
      case 'character': {
        if (operation.cost > 1) this.subject.step(operation.cost);
        const code = this.subject.codes[index];
        return code !== undefined && operation.test(code) ? index + 1 : undefined;
      }
      case 'position':
        return this.subject.holds(operation.at, index) ? index : undefined;
      case 'look': {
        const look = program.looks[operation.index];
        return look !== undefined && this.looks(look, index) ? index : undefined;
      }
      case 'save':
      case 'mark':
        this.slots[operation.slot] = index;
        return index;
      case 'backreference':
        return this.repeated(operation.group, operation.caseless, index);
      case 'atomic':
        return this.match(operation.program, index);
      default:
        return index;
    }
  }

  private looks(look: Look, index: number): boolean {
    const start = look.behind ? index - look.width : index;
    this.subject.step(this.copyCost);
    const before = [...this.slots];
    const found = start >= 0 && this.match(look.forward, start) !== undefined;
    if (!found || look.negative) this.slots = before;
    return found !== look.negative;
  }

  private repeated(group: number, caseless: boolean, index: number): number | undefined {
    const start = this.slots[2 * group] ?? UNSET;
    const end = this.slots[2 * group + 1] ?? UNSET;
    if (end === UNSET) return undefined;
    const { codes } = this.subject;
    for (let offset = 0; offset < end - start; offset += 1) {
      this.subject.step();
      const a = codes[start + offset];
      const b = codes[index + offset];
      if (a === undefined || b === undefined) return undefined;
      if (caseless ? !sameCaseless(a, b) : a !== b) return undefined;
    }
    return index + end - start;
  }
}

/** Whether a pattern matches anywhere, by trying. */
export function tryingSearch(pattern: CompiledPattern, subject: Subject): boolean {
  for (let start = 0; start <= subject.length; start += 1) {
    const attempt = new Attempt(subject, pattern.slots);
    if (attempt.match(pattern.program, start) !== undefined) return true;
  }
  return false;
}
