import { recoverTree } from './recover-tree.ts';
import type { SourceNode } from './source-map.ts';
import { type SyntaxProblem, type SyntaxTree, TOO_DEEP } from './syntax.ts';
import { YamlFault } from './yaml-cursor.ts';
import { readYaml } from './yaml-reader.ts';

// What YAML 1.1 calls printable; halves of surrogate pairs are not.
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

function firstFault(text: string): SyntaxTree | SyntaxProblem {
  const odd = UNPRINTABLE.exec(text);
  if (odd !== null) {
    const code = (text.codePointAt(odd.index) ?? 0).toString(16).padStart(4, '0');
    const message = `The character U+${code.toUpperCase()} cannot stand in YAML; write it as "\\u${code}" in double quotes.`;
    return { message, start: odd.index, end: odd.index + 1 };
  }
  try {
    return { root: readYaml(text), problems: [] };
  } catch (fault) {
    if (fault instanceof YamlFault) return fault.problem;
    throw fault;
  }
}

/** The tree of a text without faults; undefined for any other, without looking further. */
export function parseSoundYaml(
  text: string,
): { readonly root: SourceNode | undefined } | undefined {
  const found = firstFault(text);
  return 'problems' in found ? found : undefined;
}

/** Reads YAML 1.1 into a tree with offsets; of a text with faults, the parts without. Never throws. */
export function parseYamlTree(text: string): SyntaxTree {
  const found = firstFault(text);
  if ('problems' in found) return found;
  if (found.message === TOO_DEEP) return { root: undefined, problems: [found] };
  return recoverTree(text, found);
}
