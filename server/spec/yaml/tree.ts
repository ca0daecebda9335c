// Reads YAML 1.1 into a tree with offsets: the reader of everything that this program takes as YAML.
// What it reads is what the recorded texts of test/fixtures/yaml say (spec-v1 1); why it is ours:
// decision record 0017. It never throws, and it takes time in proportion to the text.
//
// Limits: 200 levels (MAX_DEPTH); one document; block and flow collections, all kinds of scalars,
// anchors, aliases, merge keys (10,000 mappings into one) and the core tags, no others; a key is a
// single value. Of a broken text, 1,000 faults are told and a million characters read in vain; what
// would go beyond that is not read. What aliases repeat is limited where values are made of a tree.
import { codeAt, DASH, isBreak, isMarker, skip, YamlFault } from './cursor.ts';
import { stateOf, type YamlReader } from './parts.ts';
import { isCollection, NOTHING_FOLLOWS, readBelow, readNode } from './reader.ts';
import { readAgain } from './recover.ts';
import type { SourceNode } from './source-map.ts';
import type { SyntaxProblem, SyntaxTree } from './syntax.ts';

// What YAML 1.1 calls printable; halves of surrogate pairs are not.
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const PERCENT = 0x25;
const DIRECTIVE_END = 'A directive is followed by "---".';

/** Passes directives and the `---` behind them; answers whether a block may begin on its line. */
function readStart(reader: YamlReader): boolean {
  let directives = false;
  skip(reader);
  while (codeAt(reader) === PERCENT && reader.at === reader.lineStart) {
    directives = true;
    while (!isBreak(codeAt(reader)) && reader.at < reader.text.length) reader.at += 1;
    skip(reader);
  }
  if (isMarker(reader) && codeAt(reader) === DASH) {
    reader.at += 3;
    return false;
  }
  if (directives) throw new YamlFault(DIRECTIVE_END, reader.at);
  return true;
}

function readEnd(reader: YamlReader): void {
  skip(reader);
  while (isMarker(reader) && codeAt(reader) !== DASH) {
    reader.at += 3;
    skip(reader);
  }
  if (reader.at >= reader.text.length) return;
  if (isMarker(reader)) {
    throw new YamlFault('A spec is one document; remove the second one.', reader.at, reader.at + 3);
  }
  throw new YamlFault(NOTHING_FOLLOWS, reader.at);
}

/** So many characters of a broken text are read in vain: twice, or behind the part that has the fault. */
const MAX_VAIN = 1_000_000;

function readerOf(text: string, recovers: boolean): YamlReader {
  const at = text.startsWith('\uFEFF') ? 1 : 0;
  return {
    ...{ text, at, lineStart: at, fresh: at },
    ...{ problems: [], told: 0, lenient: false, recovers, spare: MAX_VAIN, ended: false },
    ...{ anchors: new Map(), unfinished: [], depth: 0 },
  };
}

/** The root and the faults; without `recovers`, nothing is read behind the first one. */
function readText(text: string, recovers: boolean): SyntaxTree {
  const reader = readerOf(text, recovers);
  const begin = reader.at;
  const state = stateOf(reader);
  let root: SourceNode | undefined;
  const parts = {
    read: () => {
      root = undefined;
      const block = readStart(reader);
      const before = reader.at;
      const node = readNode(reader, { indent: -1, list: false, block });
      const nothing = node.kind === 'scalar' && node.start === node.end && node.start <= before;
      if (!nothing) root = node;
      readEnd(reader);
      return false;
    },
    keep: () => undefined,
    keepBroken: () => {
      if (!isCollection(root)) root = readBelow(reader, begin, -1) ?? root;
    },
  };
  try {
    parts.read();
  } catch (fault) {
    if (!(fault instanceof YamlFault)) throw fault;
    if (!recovers) return { root: undefined, problems: [fault.problem] };
    readAgain(reader, { begin, end: text.length, state, told: 0, fault: fault.problem }, parts);
  }
  return { root, problems: reader.problems };
}

function oddCharacter(text: string): SyntaxProblem | undefined {
  const odd = UNPRINTABLE.exec(text);
  if (odd === null) return undefined;
  const code = odd[0].codePointAt(0)?.toString(16).padStart(4, '0');
  const message = `The character U+${code?.toUpperCase()} cannot stand in YAML; write it as "\\u${code}" in double quotes.`;
  return { message, start: odd.index, end: odd.index + 1 };
}

/** The tree of a text; of a text with faults the first fault only. */
export function parseWholeYaml(text: string): SyntaxTree {
  const odd = oddCharacter(text);
  return odd === undefined ? readText(text, false) : { root: undefined, problems: [odd] };
}

/** The tree of a text; of a text with faults what can be read, and the first fault of each part. */
export function parseYamlTree(text: string): SyntaxTree {
  const odd = oddCharacter(text);
  const { root, problems } = readText(text, true);
  if (odd === undefined) return { root, problems };
  return { root, problems: [odd, ...problems] };
}
