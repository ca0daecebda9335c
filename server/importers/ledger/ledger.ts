/**
 * What became of a part of the source: it is in the draft, a gap tells it, or no run could use it.
 * `lost`: the strict conversion, whose gaps are given, neither carries nor tells it.
 */
export type LedgerFate = 'carried' | 'told' | 'no_meaning' | 'lost';

export type LedgerWhat =
  | 'node'
  | 'output'
  | 'attachment'
  | 'parameter'
  | 'credential'
  | 'setting'
  | 'note'
  | 'file';

/** In which form the draft holds it: `note` is kept under `metadata` and read by no run. */
export type LedgerForm = 'same' | 'translated' | 'redacted' | 'note';

/** Why a part means nothing for a run; there are no other reasons. */
export type LedgerReason =
  | 'canvas_position'
  | 'colour'
  | 'element_id'
  | 'format_version'
  | 'display_cache'
  | 'test_data'
  | 'export_stamp'
  | 'stored_state'
  | 'editor_only'
  | 'empty'
  | 'source_default'
  | 'unused';

/** The account of one part of the source; parts never overlap, and together they are all of it. */
export interface LedgerEntry {
  /** Path in the source document, such as `$.nodes[3].parameters.url`. */
  locator: string;
  what: LedgerWhat;
  /** `source_id` of the element that it belongs to; null for what is the whole file's. */
  element: string | null;
  label: string;
  fate: LedgerFate;
  /** Path in the draft as the import wrote it; null where the draft does not hold it. */
  draft: string | null;
  form: LedgerForm | null;
  /** Gap ids; never empty for what is told. */
  gaps: string[];
  reason: LedgerReason | null;
  /** How many values of the source it stands for. */
  leaves: number;
}
