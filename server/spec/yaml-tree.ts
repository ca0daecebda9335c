import { recoverTree } from './recover-tree.ts';
import { type SyntaxProblem, type SyntaxTree, TOO_DEEP } from './syntax.ts';
import { type SoundYaml, tryYaml } from './yaml-reader.ts';

// What YAML 1.1 calls printable; halves of surrogate pairs are not.
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

function firstFault(text: string): SoundYaml | SyntaxProblem {
  const odd = UNPRINTABLE.exec(text);
  if (odd === null) return tryYaml(text);
  const code = odd[0].codePointAt(0)?.toString(16).padStart(4, '0');
  const message = `The character U+${code?.toUpperCase()} cannot stand in YAML; write it as "\\u${code}" in double quotes.`;
  return { message, start: odd.index, end: odd.index + 1 };
}

/** The tree of a text without faults; undefined for any other, without looking further. */
export function parseSoundYaml(text: string): SoundYaml | undefined {
  const found = firstFault(text);
  return 'message' in found ? undefined : found;
}

/** Reads YAML 1.1 into a tree with offsets; of a text with faults only the first fault. Never throws. */
export function parseWholeYaml(text: string): SyntaxTree {
  const found = firstFault(text);
  return 'message' in found
    ? { root: undefined, problems: [found] }
    : { root: found.root, problems: [] };
}

/** Reads YAML 1.1 into a tree with offsets; of a text with faults, the parts without. Never throws. */
export function parseYamlTree(text: string): SyntaxTree {
  const found = firstFault(text);
  if (!('message' in found)) return { root: found.root, problems: [] };
  if (found.message === TOO_DEEP) return { root: undefined, problems: [found] };
  return recoverTree(text, found);
}
