import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { studioRoute } from '../route.ts';
import { AnalysisParams, GapId } from './fields.ts';

/**
 * What became of a part of the source: it is in the draft, a gap tells it, or no run could use it.
 * `lost`, in the strict conversion only: neither is so.
 */
export const LedgerFate = z
  .enum(['carried', 'told', 'no_meaning', 'lost'])
  .meta({ id: 'LedgerFate' });
export type LedgerFate = z.infer<typeof LedgerFate>;

export const LedgerWhat = z
  .enum(['node', 'output', 'attachment', 'parameter', 'credential', 'setting', 'note', 'file'])
  .meta({ id: 'LedgerWhat' });
export type LedgerWhat = z.infer<typeof LedgerWhat>;

/** In which form the draft holds it: `note` is kept under `metadata` and read by no run. */
export const LedgerForm = z
  .enum(['same', 'translated', 'redacted', 'note'])
  .meta({ id: 'LedgerForm' });
export type LedgerForm = z.infer<typeof LedgerForm>;

/** Why a part means nothing for a run; there are no other reasons. */
export const LedgerReason = z
  .enum([
    'canvas_position',
    'colour',
    'element_id',
    'format_version',
    'display_cache',
    'test_data',
    'export_stamp',
    'stored_state',
    'editor_only',
    'empty',
    'source_default',
    'unused',
  ])
  .meta({ id: 'LedgerReason' });
export type LedgerReason = z.infer<typeof LedgerReason>;

/** The account of one part of the source; parts never overlap, and together they are all of it. */
export const LedgerEntry = z
  .strictObject({
    /** Path in the source document, such as `$.nodes[3].parameters.url`. */
    locator: z.string(),
    what: LedgerWhat,
    /** `source_id` of the element that it belongs to; null for what is the whole file's. */
    element: z.string().nullable(),
    label: z.string(),
    fate: LedgerFate,
    /** Path in the draft as the import wrote it; null where the draft does not hold it. */
    draft: z.string().nullable(),
    form: LedgerForm.nullable(),
    /** Ids of gaps of the same analysis; never empty for what is told. */
    gaps: z.array(z.string()),
    reason: LedgerReason.nullable(),
    /** How many values of the source it stands for. */
    leaves: z.int(),
  })
  .meta({ id: 'LedgerEntry' });
export type LedgerEntry = z.infer<typeof LedgerEntry>;

const LedgerCount = z.strictObject({ entries: z.int(), leaves: z.int() });

export const LedgerView = z
  .strictObject({
    /**
     * `older`: the analysis was made before ledgers were; `strict`: before strict ones were;
     * `too_large`: it was not kept for its size. All three have no entries.
     */
    state: z.enum(['kept', 'older', 'strict', 'too_large']),
    /** Of the whole ledger, whatever the filters. */
    counts: z.strictObject({
      carried: LedgerCount,
      told: LedgerCount,
      no_meaning: LedgerCount,
      lost: LedgerCount,
    }),
    /** Entries that the filters leave. */
    total: z.int(),
    offset: z.int(),
    next_offset: z.int().nullable(),
    entries: z.array(LedgerEntry),
  })
  .meta({ id: 'LedgerView' });
export type LedgerView = z.infer<typeof LedgerView>;

export const getAnalysisLedger = studioRoute.get('get_analysis_ledger', {
  path: '/projects/{project_id}/analyses/{analysis_id}/ledger',
  summary: 'What became of every part of the imported source',
  params: AnalysisParams,
  query: z.object({
    fate: LedgerFate.optional(),
    what: LedgerWhat.optional(),
    element: z.string().optional(),
    gap: GapId.optional(),
    /** Text to look for in label, locator and draft path, whatever the case of its letters. */
    q: z.string().optional(),
    offset: lenientInteger({ min: 0 }).default(0),
    limit: lenientInteger({ min: 1, max: 1000 }).default(200),
  }),
  responses: { 200: LedgerView },
  errors: [
    'analysis_not_found',
    'analysis_quarantined',
    'analysis_payload_reclaimed',
    'analysis_keys_unavailable',
  ],
  access: 'viewer',
});
