import {
  anything,
  between,
  type CharacterTest,
  caseless,
  isNotNewline,
  sameCaseless,
  tabled,
} from './characters.ts';
import { octalCode, readEscape } from './escapes.ts';
import { parseSet } from './parse-set.ts';
import { PatternReader } from './pattern-reader.ts';
import { NOTHING, type Position, type Tree, type Width, widthOf } from './syntax-tree.ts';

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly x: boolean;
  readonly a: boolean;
}

/** A pattern as a tree, with the number of its groups. */
export interface ParsedPattern {
  readonly tree: Tree;
  readonly groups: number;
}

const NO_FLAGS: Flags = { i: false, m: false, s: false, x: false, a: false };
const MAX_DEPTH = 200;
const SET_CHARACTERS_A_STEP = 16;

/**
 * Parses the regular expressions of the authors' dialect, that of Python's `re` (spec-v1 11.4). Also
 * read are `(?<name>…)`, `\z` and `\p{…}`.
 * @throws SyntaxError when it is no regular expression.
 */
export function parsePattern(pattern: string): ParsedPattern {
  return new PatternParser(pattern).parse();
}

class PatternParser {
  private readonly reader: PatternReader;
  private readonly names = new Map<string, number>();
  /** Of the groups that are closed. */
  private readonly widths = new Map<number, Width>();
  private groups = 0;
  private depth = 0;
  /** The highest group that is referred to: a conditional may name a later one. */
  private highest = 0;

  constructor(pattern: string) {
    this.reader = new PatternReader(pattern);
  }

  parse(): ParsedPattern {
    const tree = this.choice(this.leadingFlags());
    if (!this.reader.done) throw new SyntaxError('unbalanced )');
    if (this.highest > this.groups) throw new SyntaxError(`unknown group '${this.highest}'`);
    return { tree, groups: this.groups };
  }

  /** Flags for the whole pattern may only stand at its beginning. */
  private leadingFlags(): Flags {
    const found = /^\(\?([aiLmsux]+)\)/.exec(this.reader.characters.join(''));
    if (found === null) return NO_FLAGS;
    this.reader.at = found[0].length;
    return this.withFlags(NO_FLAGS, found[1] ?? '', true);
  }

  private withFlags(flags: Flags, letters: string, value: boolean): Flags {
    if (letters.includes('L')) throw new SyntaxError('flag L is for bytes');
    const set = Object.fromEntries([...letters].map((letter) => [letter, value]));
    return { ...flags, ...set };
  }

  private choice(flags: Flags): Tree {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new SyntaxError('too many nested groups');
    const items = [this.sequence(flags)];
    while (this.reader.take('|')) items.push(this.sequence(flags));
    this.depth -= 1;
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'choice', items };
  }

  private sequence(flags: Flags): Tree {
    const items: Tree[] = [];
    for (;;) {
      this.skipIgnored(flags);
      const { peek } = this.reader;
      if (peek === '' || peek === '|' || peek === ')') return { kind: 'sequence', items };
      items.push(this.repeated(this.atom(flags), flags));
    }
  }

  /** Skips comments, and in verbose patterns blanks. */
  private skipIgnored(flags: Flags): void {
    for (;;) {
      if (flags.x) this.reader.while(/[ \t\n\r\f\v]/);
      if (this.reader.take('(?#')) this.reader.upTo(')');
      else if (flags.x && this.reader.take('#')) this.reader.while(/[^\n]/);
      else return;
    }
  }

  private character(test: CharacterTest, cost = 1): Tree {
    return { kind: 'character', test: tabled(test), cost };
  }

  private set(flags: Flags): Tree {
    const start = this.reader.at;
    const test = parseSet(this.reader, flags.a, (item) => (flags.i ? caseless(item) : item));
    return this.character(test, 1 + Math.floor((this.reader.at - start) / SET_CHARACTERS_A_STEP));
  }

  private literal(code: number, flags: Flags): Tree {
    if (!flags.i) return { kind: 'character', test: between(code, code), cost: 1 };
    return this.character((other) => sameCaseless(other, code));
  }

  /** One item of a sequence. */
  private atom(flags: Flags): Tree {
    const character = this.reader.next();
    switch (character) {
      case '.':
        return { kind: 'character', test: flags.s ? anything : isNotNewline, cost: 1 };
      case '^':
        return { kind: 'position', at: flags.m ? 'line_start' : 'start' };
      case '$':
        return { kind: 'position', at: flags.m ? 'line_end' : 'end_or_newline' };
      case '(':
        return this.group(flags);
      case '[':
        return this.set(flags);
      case '\\':
        return this.escape(flags);
      case '*':
      case '+':
      case '?':
        throw new SyntaxError('nothing to repeat');
      default:
        return this.literal(character.codePointAt(0) ?? 0, flags);
    }
  }

  private repeated(atom: Tree, flags: Flags): Tree {
    this.skipIgnored(flags);
    const bounds = this.bounds();
    if (bounds === undefined) return atom;
    if (atom.kind === 'position') throw new SyntaxError('nothing to repeat');
    const [min, max] = bounds;
    const mode = this.reader.take('?') ? 'lazy' : this.reader.take('+') ? 'possessive' : 'greedy';
    this.skipIgnored(flags);
    const here = this.reader.at;
    if (this.bounds() !== undefined) throw new SyntaxError('multiple repeat');
    this.reader.at = here;
    return { kind: 'repeat', item: atom, min, max, mode };
  }

  /** The bounds of a quantifier that comes next. A brace that makes none is a character. */
  private bounds(): readonly [number, number] | undefined {
    if (this.reader.take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.reader.take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.reader.take('?')) return [0, 1];
    const before = this.reader.at;
    if (!this.reader.take('{')) return undefined;
    const low = this.reader.while(/\d/);
    const comma = this.reader.take(',');
    const high = comma ? this.reader.while(/\d/) : low;
    if (!this.reader.take('}') || (!comma && low === '')) {
      this.reader.at = before;
      return undefined;
    }
    const min = low === '' ? 0 : Number(low);
    const max = high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (max < min) throw new SyntaxError('bounds of a repeat are the wrong way round');
    return [min, max];
  }

  private group(flags: Flags): Tree {
    if (!this.reader.take('?')) return this.capture(flags, null);
    if (this.reader.take('P<')) return this.capture(flags, this.reader.upTo('>'));
    if (this.reader.take('P=')) return this.backreference(this.reader.upTo(')'), flags);
    for (const [mark, behind, negative] of LOOKS) {
      if (this.reader.take(mark)) return this.look(flags, behind, negative);
    }
    if (this.reader.take('<')) return this.capture(flags, this.reader.upTo('>'));
    if (this.reader.take('>')) return { kind: 'atomic', item: this.closed(flags) };
    if (this.reader.take('(')) return this.condition(flags);
    return this.closed(this.localFlags(flags));
  }

  private closed(flags: Flags): Tree {
    const item = this.choice(flags);
    if (!this.reader.take(')')) throw new SyntaxError('missing )');
    return item;
  }

  private localFlags(flags: Flags): Flags {
    const on = this.reader.while(/[aimsux]/);
    const off = this.reader.take('-') ? this.reader.while(/[imsx]/) : '';
    if (!this.reader.take(':')) throw new SyntaxError('unknown extension of a group');
    return this.withFlags(this.withFlags(flags, on, true), off, false);
  }

  private capture(flags: Flags, name: string | null): Tree {
    this.groups += 1;
    const index = this.groups;
    if (name !== null) {
      if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || this.names.has(name)) {
        throw new SyntaxError(`bad or doubled group name '${name}'`);
      }
      this.names.set(name, index);
    }
    const item = this.closed(flags);
    this.widths.set(index, widthOf(item));
    return { kind: 'group', item, index };
  }

  private look(flags: Flags, behind: boolean, negative: boolean): Tree {
    const item = this.closed(flags);
    const [min, max] = widthOf(item);
    if (behind && min !== max) throw new SyntaxError('look-behind requires fixed-width pattern');
    return { kind: 'look', item, behind, negative };
  }

  private groupNumber(name: string): number {
    const known = this.names.get(name) ?? (/^\d+$/.test(name) ? Number(name) : 0);
    if (known < 1) throw new SyntaxError(`unknown group '${name}'`);
    this.highest = Math.max(this.highest, known);
    return known;
  }

  private backreference(name: string, flags: Flags): Tree {
    const group = this.groupNumber(name);
    const width = this.widths.get(group);
    if (width === undefined) throw new SyntaxError('a backreference comes after its group');
    return { kind: 'backreference', group, caseless: flags.i, width };
  }

  private condition(flags: Flags): Tree {
    const group = this.groupNumber(this.reader.upTo(')'));
    const yes = this.sequence(flags);
    const no = this.reader.take('|') ? this.sequence(flags) : NOTHING;
    if (!this.reader.take(')')) throw new SyntaxError('a conditional has at most two branches');
    return { kind: 'condition', group, yes, no };
  }

  private escape(flags: Flags): Tree {
    if (/\d/.test(this.reader.peek)) return this.numbered(flags);
    const letter = this.reader.next();
    const at = this.positionOf(letter, flags);
    if (at !== undefined) return { kind: 'position', at };
    if (letter === 'k' && this.reader.take('<')) {
      return this.backreference(this.reader.upTo('>'), flags);
    }
    const found = readEscape(this.reader, letter, flags.a);
    if (found.kind === 'code') return this.literal(found.code, flags);
    return this.character(found.test);
  }

  private positionOf(letter: string, flags: Flags): Position | undefined {
    if (letter === 'A') return 'start';
    if (letter === 'Z' || letter === 'z') return 'end';
    if (letter === 'b') return flags.a ? 'ascii_boundary' : 'boundary';
    if (letter === 'B') return flags.a ? 'no_ascii_boundary' : 'no_boundary';
    return undefined;
  }

  /** `\0…` and three octal digits are characters, other digits a backreference. */
  private numbered(flags: Flags): Tree {
    const before = this.reader.at;
    if (this.reader.peek === '0') {
      return this.literal(octalCode(this.reader.while(/[0-7]/, 3)), flags);
    }
    const octal = this.reader.while(/[0-7]/, 3);
    if (octal.length === 3) return this.literal(octalCode(octal), flags);
    this.reader.at = before;
    return this.backreference(this.reader.while(/\d/, 2), flags);
  }
}

const LOOKS = [
  ['=', false, false],
  ['!', false, true],
  ['<=', true, false],
  ['<!', true, true],
] as const;
