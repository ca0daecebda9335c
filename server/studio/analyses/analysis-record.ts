import { z } from 'zod';
import { CanvasView } from '../../contract/studio/analyses.ts';
import { GapSeverity, Suggestion } from '../../contract/studio/gaps.ts';
import type { Analysis } from '../../importers/analysis.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';

const StoredGap = z.strictObject({
  id: z.string(),
  kind: z.string(),
  severity: GapSeverity,
  source_ref: z.strictObject({
    source_id: z.string(),
    source_label: z.string(),
    locator: z.string().nullable(),
  }),
  spec_ref: z.string().nullable(),
  title: z.string(),
  detail: z.string(),
});

const StoredRecord = z.object({
  gaps: z.array(StoredGap),
  suggestions: z.array(Suggestion),
  canvas: CanvasView.default({ nodes: [], edges: [] }),
  /** The draft as it was made; null when it is too large to be kept. */
  generated: z.string().nullable().default(null),
});

/** The detail of an analysis as it is sealed and stored. */
export type AnalysisRecord = z.infer<typeof StoredRecord>;
/** A gap as it is stored. */
export type StoredGap = z.infer<typeof StoredGap>;

/** What the sealed record is bound to: it opens for this project and analysis only. */
export function recordBinding(projectId: string, analysisId: string): string {
  return `${projectId}\u0000${analysisId}`;
}

/** The detail that an import found. */
export function toRecord(
  analysis: Pick<Analysis, 'gaps' | 'suggestions' | 'canvas' | 'spec_yaml'>,
): AnalysisRecord {
  return {
    gaps: analysis.gaps.map(
      ({ gap_id: id, kind, severity, source_ref, spec_ref, title, detail }) => ({
        id,
        kind,
        severity,
        source_ref,
        spec_ref,
        title,
        detail,
      }),
    ),
    suggestions: analysis.suggestions,
    canvas: analysis.canvas,
    generated: analysis.spec_yaml,
  };
}

/** A record with its draft is stored up to this size, half of what one may have at all. */
const MAX_WITH_DRAFT = 4 * 1024 * 1024;

/** The record as it is sealed; a large one leaves its draft out rather than being refused for it. */
export function recordText(record: AnalysisRecord): string {
  const whole = JSON.stringify(record);
  if (whole.length <= MAX_WITH_DRAFT) return whole;
  return JSON.stringify({ ...record, generated: null });
}

/** Ids of the gaps of one severity, ascending: stored in clear beside the sealed detail. */
export function gapIds(record: AnalysisRecord, severity: 'blocking' | 'manual'): string[] {
  return record.gaps
    .filter((gap) => gap.severity === severity)
    .map((gap) => gap.id)
    .sort(compareCodePoints);
}

/** A list of gap ids as stored. */
export function parseIds(text: string): string[] {
  return z.array(z.string()).parse(JSON.parse(text));
}

/**
 * Reads an opened record; undefined when it does not hold what it should or contradicts the lists
 * of gap ids stored in clear.
 */
export function parseRecord(
  text: string,
  lists: { blocking_gap_ids: string; manual_gap_ids: string },
): AnalysisRecord | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = StoredRecord.safeParse(document);
  if (!parsed.success) return undefined;
  const agrees =
    JSON.stringify(gapIds(parsed.data, 'blocking')) === lists.blocking_gap_ids &&
    JSON.stringify(gapIds(parsed.data, 'manual')) === lists.manual_gap_ids;
  return agrees ? parsed.data : undefined;
}
