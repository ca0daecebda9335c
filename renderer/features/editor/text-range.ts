import type { SourceRange } from '../../../server/spec/yaml/source-map.ts';
import type { TextRange } from './spec-protocol.ts';

/** A range of the spec compiler as the editor counts it. */
export function textRange(range: SourceRange): TextRange {
  return {
    startLine: range.start.line,
    startColumn: range.start.column,
    endLine: range.end.line,
    endColumn: range.end.column,
  };
}
