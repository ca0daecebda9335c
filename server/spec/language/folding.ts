import { resolved, type SourceNode } from '../yaml/source-map.ts';
import type { OpenDocument } from './open-document.ts';

/** Lines, from 1, that can be folded under the first of them. */
export interface Fold {
  readonly start: number;
  readonly end: number;
  readonly kind: 'part' | 'comment';
}

/** The part from `from` to `to` when it has more than one line; the end at a line start is before it. */
function foldOf({ source, text }: OpenDocument, from: number, to: number): Fold | undefined {
  let last = to;
  while (last > from && /\s/.test(text[last - 1] ?? '')) last -= 1;
  const start = source.positionOf(from).line;
  const end = source.positionOf(last).line;
  return end > start ? { start, end, kind: 'part' } : undefined;
}

function addFolds(document: OpenDocument, node: SourceNode, folds: Fold[]): void {
  if (node.kind === 'alias' || node.kind === 'scalar') return;
  const parts =
    node.kind === 'map'
      ? node.entries.map(({ keyStart, value }) => ({ start: keyStart, value }))
      : node.items.map((item) => ({ start: item.start, value: item }));
  for (const { start, value } of parts) {
    const fold = foldOf(document, start, value.end);
    if (fold !== undefined) folds.push(fold);
    addFolds(document, value, folds);
  }
}

/** Runs of two and more lines that are comments only. */
function commentFolds({ text }: OpenDocument): Fold[] {
  const folds: Fold[] = [];
  let start = 0;
  const lines = text.split('\n');
  lines.push('');
  for (const [index, line] of lines.entries()) {
    if (/^\s*#/.test(line)) {
      if (start === 0) start = index + 1;
      continue;
    }
    if (start > 0 && index > start) folds.push({ start, end: index, kind: 'comment' });
    start = 0;
  }
  return folds;
}

/** What can be folded in a text, broken or whole: entries, items, block texts, runs of comments. */
export function foldsOf(document: OpenDocument): Fold[] {
  const { root } = document.source;
  const folds: Fold[] = [];
  if (root !== undefined) addFolds(document, resolved(root), folds);
  const byStart = new Map<number, Fold>();
  for (const fold of [...folds, ...(document.format === 'yaml' ? commentFolds(document) : [])]) {
    const known = byStart.get(fold.start);
    if (known === undefined || known.end < fold.end) byStart.set(fold.start, fold);
  }
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}
