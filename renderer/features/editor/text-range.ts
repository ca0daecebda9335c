import type { TextEdit as SpecTextEdit } from '../../../server/spec/edit/text-edit.ts';
import type { SourceMap, SourceRange } from '../../../server/spec/yaml/source-map.ts';
import type { TextEdit, TextRange } from './spec-protocol.ts';

/** A range of the spec compiler as the editor counts it. */
export function textRange(range: SourceRange): TextRange {
  return {
    startLine: range.start.line,
    startColumn: range.start.column,
    endLine: range.end.line,
    endColumn: range.end.column,
  };
}

/** Edits of the spec compiler as the editor takes them. */
export function placedEdits(source: SourceMap, edits: readonly SpecTextEdit[]): TextEdit[] {
  return edits.map(({ start, end, text }) => ({
    text,
    range: textRange({ start: source.positionOf(start), end: source.positionOf(end) }),
  }));
}
