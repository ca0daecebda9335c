import type { PinnedItems, SourceSetting } from '../contract/studio/analyses.ts';
import type { GapSeverity } from '../contract/studio/gaps.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { LedgerEntry } from './ledger/ledger.ts';
import type { Value } from './value.ts';

/** How much of a source is carried: `strict` is the base table, `extended` adds handlers and repairs. */
export type Conversion = 'extended' | 'strict';

/** Where an element stands in the source document; `locator` is a path such as `$.nodes[3]`. */
export interface SourceRef {
  source_id: string;
  source_label: string;
  locator: string;
}

/** One thing the draft does not hold as the source had it. `gap_id` is unique within one analysis. */
export interface Gap {
  gap_id: string;
  kind: string;
  severity: GapSeverity;
  source_ref: SourceRef;
  /** Step id in the draft, when the element became a step. */
  spec_ref: string | null;
  title: string;
  detail: string;
}

export type SuggestionCategory = 'tool_permission' | 'guardrail' | 'human_approval' | 'secret_ref';

export interface Suggestion {
  id: string;
  category: SuggestionCategory;
  title: string;
  detail: string;
  spec_ref: string | null;
  rationale: string;
}

export interface ImportSummary {
  source: string;
  workflow_family: 'sequential' | 'graph' | null;
  node_count: number;
  edge_count: number;
  tool_count: number;
  credential_count: number;
  unsupported_count: number;
}

/** The source's own drawing, for the gap page. Positions are the source's canvas units. */
export interface Canvas {
  nodes: CanvasNode[];
  edges: CanvasEdge[];
  settings?: SourceSetting[];
  pinned?: PinnedItems[];
}

export interface CanvasNode {
  source_id: string;
  label: string;
  /** The source's type name. */
  type: string;
  locator: string;
  position: { x: number; y: number } | null;
  disabled: boolean;
  /** Step id in the draft, when there is one. */
  spec_ref: string | null;
}

export interface CanvasEdge {
  source_id: string;
  target_id: string;
  /** `main` for flow, otherwise the source's attachment type. */
  kind: string;
}

/** A call of a workflow that the draft does not have. */
export interface Call {
  readonly source_id: string;
  /** The empty component workflow that stands for it, or in a flow of items the function. */
  readonly component: string;
  /** Ids and names that the called workflow may have. */
  readonly wanted: readonly string[];
  /** The text of the called workflow, where the file itself holds it. */
  readonly inner?: string;
}

/** How other files call this workflow. */
export interface Origin {
  readonly id: string | null;
  readonly name: string | null;
}

export interface AnalyzeInput {
  /** Source id, one of `IMPORT_SOURCES`. The format is never detected. */
  source: string;
  /** The whole file as text. */
  raw: string;
  conversion: Conversion;
  /** False leaves the ledger out, for a caller that only wants drafts and gaps. */
  ledger?: boolean;
}

export interface Analysis {
  ok: true;
  /** The draft as text; the first revision of the draft is its SHA-256. */
  spec_yaml: string;
  /** The same document, parsed. */
  spec: JsonObject;
  summary: ImportSummary;
  gaps: Gap[];
  suggestions: Suggestion[];
  /**
   * What became of every part of the source; null for the strict conversion, and where it is not
   * wanted. Made when it is first read.
   */
  readonly ledger: LedgerEntry[] | null;
  /** Source id, with `/strict` for the strict conversion: part of the analysis's identity. */
  importer: string;
  /** `<source id>@<major.minor.patch>`. */
  importer_version: string;
  analyzer_version: string;
  /** SHA-256 of the raw UTF-8 bytes, lowercase hex. */
  source_sha256: string;
  /** SHA-256 of `spec_yaml`, lowercase hex. */
  output_sha256: string;
  canvas: Canvas;
  origin: Origin;
  calls: readonly Call[];
  /** The source as it was read, for who asks more of it: not to be stored, it may hold credentials. */
  document: Value;
}

export type AnalyzeRefusalCode =
  | 'raw_required'
  | 'source_too_large'
  | 'source_unknown'
  | 'not_implemented'
  | 'source_unparseable'
  | 'source_too_complex'
  | 'importer_graph_invalid'
  | 'source_credential_in_generated_content'
  | 'analysis_cards_invalid';

/** The source was not converted; nothing may be written. `details` holds node, field, locator if known. */
export interface AnalyzeRefusal {
  ok: false;
  status: number;
  code: AnalyzeRefusalCode;
  message: string;
  details?: Record<string, string | number>;
}

export type AnalyzeOutcome = Analysis | AnalyzeRefusal;
