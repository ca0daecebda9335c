import type { PinnedItems, SourceSetting } from '../contract/studio/analyses.ts';
import { isJsonObject, type JsonObject } from '../kernel/json.ts';
import { sha256Hex } from '../kernel/sha256.ts';
import { emitYaml } from '../spec/yaml/emit-yaml.ts';
import { findConversion } from './adapter.ts';
import type { Analysis, AnalyzeInput, AnalyzeOutcome, Gap } from './analysis.ts';
import { checkGraph } from './check-graph-ir.ts';
import { type Card, tellGaps } from './gaps/gap-stream.ts';
import { suggestionsFor } from './gaps/suggestions.ts';
import type { Graph } from './graph-ir.ts';
import { IMPORT_SOURCES } from './import-sources.ts';
import { lastCheck, scrubGap, scrubSuggestion } from './last-check.ts';
import type { Account } from './ledger/account.ts';
import type { LedgerEntry } from './ledger/ledger.ts';
import { checkElements } from './limits.ts';
import { embedInner } from './link/inner-workflows.ts';
import type { Lowered } from './lowering/lower.ts';
import { type Protector, protectorOf } from './secrets.ts';
import { SourceRefused } from './source-refused.ts';
import { ANALYZER_VERSION, IMPORTER_VERSIONS } from './versions.ts';

const MAX_SOURCE_BYTES = 1_048_576;
const MAX_LITERALS = 128;
const MAX_GAP_ID = 128;

const encoder = new TextEncoder();

function checkRaw(raw: string): Uint8Array {
  if (raw === '') throw new SourceRefused('raw_required', 'The file is empty.', { field: 'raw' });
  const bytes = encoder.encode(raw);
  if (bytes.length <= MAX_SOURCE_BYTES) return bytes;
  throw new SourceRefused('source_too_large', 'The file is larger than 1 MiB.', {
    limit: MAX_SOURCE_BYTES,
    bytes: bytes.length,
  });
}

function checkSize(graph: Graph): void {
  checkElements(graph.declaredElements);
  if (graph.literals.size > MAX_LITERALS) {
    throw new SourceRefused(
      'source_too_complex',
      `The source holds more than ${MAX_LITERALS} credentials as plain text.`,
      { field: 'credentials', limit: MAX_LITERALS },
    );
  }
}

function checkCards(gaps: readonly Gap[]): void {
  const ids = new Set<string>();
  for (const gap of gaps) {
    const { gap_id: id } = gap;
    const complete = id !== '' && gap.title !== '' && gap.detail !== '';
    const isShort = id.length <= MAX_GAP_ID || [...id].length <= MAX_GAP_ID;
    if (complete && isShort && !ids.has(id)) {
      ids.add(id);
      continue;
    }
    throw new SourceRefused('analysis_cards_invalid', 'The importer made an invalid gap.');
  }
}

function cardsOf(graph: Graph, lowered: Lowered): Card[] {
  return [...graph.losses, ...lowered.cards];
}

/** The draft with what no run uses as free notes at its end. */
function withNotes(spec: JsonObject, imported: JsonObject): JsonObject {
  const { metadata } = spec;
  return { ...spec, metadata: { ...(isJsonObject(metadata) ? metadata : {}), imported } };
}

/** Lowercase hex SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export type Sha256 = (input: string | Uint8Array) => string;

const ACCOUNT = Symbol('account');

/** An analysis whose ledger is made when it is read; until then it holds on to the account. */
interface Accounted extends Analysis {
  [ACCOUNT]: {
    readonly account: Account;
    readonly gapIds: readonly string[];
    made?: LedgerEntry[];
  };
}

/**
 * One getter for all analyses. A getter for each would be kept until the next whole collection, and
 * with it what it reads: the pair of accessors of an object is not among V8's young objects.
 */
const LEDGER: PropertyDescriptor & ThisType<Accounted> = {
  enumerable: true,
  get() {
    const held = this[ACCOUNT];
    held.made ??= held.account.entries(held.gapIds);
    return held.made;
  },
};

function withLedger(made: Analysis, account: Account, gapIds: readonly string[]): Analysis {
  const held: PropertyDescriptor = { value: { account, gapIds } };
  return Object.defineProperties(made, { [ACCOUNT]: held, ledger: LEDGER });
}

function convert(input: AnalyzeInput, sha256: Sha256): Analysis {
  const bytes = checkRaw(input.raw);
  if (!IMPORT_SOURCES.some((source) => source.id === input.source)) {
    throw new SourceRefused('source_unknown', 'This source is not known.');
  }
  const conversion = findConversion(input.source, input.conversion);
  if (conversion === undefined) {
    throw new SourceRefused(
      'not_implemented',
      input.conversion === 'strict'
        ? 'This source has no strict conversion.'
        : 'This source cannot be imported yet.',
    );
  }
  const { graph, canvas, origin, outline } = conversion.adapt(input.raw);
  checkSize(graph);
  checkGraph(graph);
  const protector = protectorOf(graph.literals);
  const lowered = conversion.lower(graph, protector);
  const stepOf = (sourceId: string): string | null => lowered.stepOf(sourceId);
  const scrub = (text: string): string => (protector.idle ? text : protector.scrub(text));
  const met = cardsOf(graph, lowered);
  const account = conversion.account(outline, lowered, met, protector);
  const { cards, imported } = account;
  const told = tellGaps(cards, stepOf, scrub);
  const gaps = told.gaps.map((gap) => scrubGap(gap, protector));
  checkCards(gaps);
  const spec = imported === undefined ? lowered.spec : withNotes(lowered.spec, imported);
  const suggestions = suggestionsFor(graph.credentials).map((s) => scrubSuggestion(s, protector));
  lastCheck(spec, gaps, suggestions, protector);
  const spec_yaml = emitYaml(spec);
  const made: Analysis = {
    ok: true,
    spec_yaml,
    spec,
    summary: {
      source: graph.source,
      workflow_family: lowered.family,
      node_count: graph.nodes.length,
      edge_count: graph.connections.length,
      tool_count: graph.tools.length,
      credential_count: graph.credentials.length,
      unsupported_count: gaps.length,
    },
    gaps,
    suggestions,
    ledger: null,
    importer: input.conversion === 'strict' ? `${input.source}/strict` : input.source,
    importer_version: IMPORTER_VERSIONS[input.source] ?? `${input.source}@1.0.0`,
    analyzer_version: ANALYZER_VERSION,
    source_sha256: sha256(bytes),
    output_sha256: sha256(spec_yaml),
    canvas: {
      ...scrubCanvas(canvas(stepOf), protector),
      settings: settingsOf(cards, protector),
    },
    origin,
    calls: lowered.calls,
    document: outline.root,
  };
  const whole = input.ledger === false ? made : withLedger(made, account, told.ids);
  return embedInner(whole, (raw) => analyze({ ...input, raw, ledger: false }, sha256));
}

/** The settings that the draft does not hold, but for those that are part of a credential. */
function settingsOf(cards: readonly Card[], protector: Protector): SourceSetting[] {
  return cards.flatMap(({ ref: { source_id }, settings = [] }) =>
    settings
      .filter(({ name, value }) => ![name, String(value)].some((text) => protector.holds(text)))
      .map(({ name, value }) => ({ source_id, name, value })),
  );
}

/** More than this is pinned for show, not for a rehearsal: characters of JSON. */
const MAX_PINNED = 262_144;

/** What is pinned without credentials; none of an element that holds one, and none where it is too much. */
function keptPinned(pinned: readonly PinnedItems[], protector: Protector): PinnedItems[] {
  const texts = pinned.map(({ items }) => JSON.stringify(items));
  if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_PINNED) return [];
  return pinned.filter((_, at) => !protector.holds(texts[at] ?? ''));
}

function scrubCanvas(canvas: Analysis['canvas'], protector: Protector): Analysis['canvas'] {
  const { pinned = [], ...drawing } = canvas;
  const kept = keptPinned(pinned, protector);
  const held = kept.length === 0 ? {} : { pinned: kept };
  if (protector.idle) return { ...drawing, ...held };
  return {
    nodes: drawing.nodes.map((node) => ({ ...node, label: protector.scrub(node.label) })),
    edges: drawing.edges,
    ...held,
  };
}

/**
 * The whole import, pure and deterministic (importers 2): the bytes of a source's export → draft
 * spec, gaps, suggestions and summary, or the refusal of checks 4–5 and 9–15 of importers 1. A
 * caller that has a native SHA-256 gives it, since the texts are large.
 */
export function analyze(input: AnalyzeInput, sha256: Sha256 = sha256Hex): AnalyzeOutcome {
  try {
    return convert(input, sha256);
  } catch (error) {
    if (error instanceof SourceRefused) return error.toOutcome();
    throw error;
  }
}
