import { formatOfFile } from '../../../server/spec/parse-yaml.ts';
import type { SourceMap, SourceRange } from '../../../server/spec/source-map.ts';
import { type PlacedDiagnostic, validateText } from '../../../server/spec/validate.ts';
import { drawSpec } from './spec-graph.ts';
import type { RangedDiagnostic, SpecAnalysis, TextRange } from './spec-protocol.ts';

function textRange(range: SourceRange): TextRange {
  return {
    startLine: range.start.line,
    startColumn: range.start.column,
    endLine: range.end.line,
    endColumn: range.end.column,
  };
}

function rangeOfPath(source: SourceMap, path: string): TextRange | null {
  const spot = source.nearest(path);
  if (spot === undefined) {
    return null;
  }
  return textRange({ start: (spot.key ?? spot.value).start, end: spot.value.end });
}

function ranged(diagnostic: PlacedDiagnostic): RangedDiagnostic {
  return { ...diagnostic, range: textRange(diagnostic.range) };
}

function placeNodes(
  source: SourceMap,
  pathById: Readonly<Record<string, string>>,
): Readonly<Record<string, TextRange>> {
  return Object.fromEntries(
    Object.entries(pathById).flatMap(([id, path]) => {
      const range = rangeOfPath(source, path);
      return range === null ? [] : [[id, range]];
    }),
  );
}

/** Everything the editor shows about one text: findings with ranges, topology, node places. */
export function analyseText(
  input: { readonly text: string; readonly file: string },
  now: () => number,
): SpecAnalysis {
  const began = now();
  const result = validateText(input.text, formatOfFile(input.file));
  const drawn = result.spec === undefined ? null : drawSpec(result.spec);
  return {
    diagnostics: result.diagnostics.map(ranged),
    graph: drawn?.graph ?? null,
    parsed: result.document.value !== undefined,
    nodeRanges: drawn === null ? {} : placeNodes(result.document.source, drawn.paths),
    milliseconds: now() - began,
  };
}

/** Where a document path stands in a text, or its nearest ancestor; null for an empty text. */
export function locatePath(input: {
  readonly text: string;
  readonly file: string;
  readonly path: string;
}): TextRange | null {
  const { document } = validateText(input.text, formatOfFile(input.file));
  return rangeOfPath(document.source, input.path.replace(/^\$\.?/, ''));
}

/** The node whose text holds the line; the innermost when several do. */
export function nodeAtLine(
  nodeRanges: Readonly<Record<string, TextRange>>,
  line: number,
): string | undefined {
  return Object.entries(nodeRanges)
    .filter(([, range]) => range.startLine <= line && line <= range.endLine)
    .toSorted(([, a], [, b]) => a.endLine - a.startLine - (b.endLine - b.startLine))[0]?.[0];
}
