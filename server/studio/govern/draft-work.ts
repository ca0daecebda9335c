import type { StudioErrorCode } from '../../contract/studio/errors.ts';
import type { ComposeView } from '../../contract/studio/govern.ts';
import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { loadSpec } from '../../spec/load/load-spec.ts';
import { layerWithOrigins, type Origin } from '../../spec/load/overlay.ts';
import { keyedProviders, namedSecrets, providersOf } from '../../spec/reports/bundle-needs.ts';
import {
  findPortabilityBlockers,
  type PortabilityBlocker,
} from '../../spec/reports/portability.ts';
import { isWithinBudget, registryName } from '../../spec/reports/privileges.ts';
import { formatPath, type PathSegment } from '../../spec/values/path.ts';
import { emitYaml } from '../../spec/yaml/emit-yaml.ts';
import { parseWholeText } from '../../spec/yaml/parse-yaml.ts';
import { readComponent } from '../artifacts/component-text.ts';
import { composeSnapshot, type Layers, snapshotLayers } from '../artifacts/compose.ts';
import type { SnapshotPart } from '../artifacts/snapshot-manifest.ts';
import { canonicalRef } from '../files/canonical-ref.ts';
import { type GatedSpec, type GateSetting, gateSpec, isStudioCode } from './gated-spec.ts';

// What is computed of the texts of drafts, from plain data to plain data: the studio's draft threads
// run it where a text is large.

/** A value, or a refusal of the studio as values. */
export type Done<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly code: StudioErrorCode;
      readonly message: string;
      readonly details?: Readonly<Record<string, unknown>>;
    };

/** The text of a draft or a buffer, and the name that says its format. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A composition that the gate let through, with what else was asked for. */
export interface OpenedSpec {
  readonly gated: GatedSpec;
  readonly blockers: PortabilityBlocker[];
  /** Empty unless it was asked for. */
  readonly yaml: string;
}

interface OpenInput {
  readonly parts: readonly SnapshotPart[];
  readonly setting: GateSetting;
  readonly transport: 'remote' | 'shared_filesystem';
  readonly withYaml: boolean;
}

function tried<Value>(work: () => Value): Done<Value> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (!(error instanceof Refusal) || !isStudioCode(error.code)) throw error;
    const { code, message, details } = error;
    return { ok: false, code, message, ...(details === undefined ? {} : { details }) };
  }
}

function faultOf({ name, text }: NamedText): string | null {
  const read = readComponent(name, text);
  return read.ok ? null : read.reason;
}

/** The document of a buffer behind the gate: a text when the buffer is none, null when there is no gate. */
function bufferGated(
  { name, text }: NamedText,
  setting: GateSetting | null,
): string | Done<GatedSpec> | null {
  const read = readComponent(name, text, { requireContent: true });
  if (!read.ok) return read.reason;
  return setting === null ? null : tried(() => gateSpec(read.document, setting));
}

function toOriginView(path: string, origin: Origin): ComposeView['origins'][number] {
  const overlay = origin.layer === 'overlay' ? origin.index : null;
  return { path, origin: origin.layer, overlay };
}

function documentOf({ name, text }: NamedText): JsonObject {
  const read = readComponent(name, text);
  if (!read.ok) throw new TypeError('a component is read before it is composed');
  return read.document;
}

/** What layers give together; null when that is too large to scan. */
type Composed = Pick<ComposeView, 'text' | 'base_text' | 'origins'> | null;

function composedOf({ base, overlays, overrides }: Layers): Composed {
  const { document, origins } = layerWithOrigins(base, overlays, overrides);
  if (!isWithinBudget(document)) return null;
  return {
    text: emitYaml(document),
    base_text: emitYaml(base),
    origins: [...origins].map(([path, origin]) => toOriginView(path, origin)),
  };
}

/** The composed text of drafts and where its values come from. */
function composed(texts: readonly NamedText[], overrides: string): Composed {
  const [base, ...overlays] = texts.map(documentOf);
  if (base === undefined) throw new TypeError('a composition has no base');
  const last = parseWholeText(overrides, 'json').value ?? {};
  return composedOf({ base, overlays, overrides: last });
}

/** An artifact's overrides, and what its frozen layers give together. */
interface Unfolded {
  readonly overrides: JsonObject;
  readonly composed: Composed;
}

function unfolded(parts: readonly SnapshotPart[]): Done<Unfolded> {
  return tried(() => {
    const layers = snapshotLayers(parts);
    return { overrides: layers.overrides, composed: composedOf(layers) };
  });
}

function opened({ parts, setting, transport, withYaml }: OpenInput): Done<OpenedSpec> {
  return tried(() => {
    const spec = gateSpec(composeSnapshot(parts), setting);
    const isInsideTree = (text: string): boolean => canonicalRef(text) !== undefined;
    return {
      gated: spec,
      blockers: findPortabilityBlockers({ ...spec, transport, isInsideTree }),
      yaml: withYaml ? emitYaml(spec.document) : '',
    };
  });
}

/** A place of a text that names an entry of the registry. */
export interface RegistryUse {
  readonly path: string;
  readonly name: string;
}

/** What a composed spec asks the platform for, by name. */
export interface AskedSecrets {
  /** Variables and stored secrets. */
  readonly names: readonly string[];
  /** Providers of its models. */
  readonly providers: readonly string[];
  /** Those of them whose own key is needed. */
  readonly keyed: readonly string[];
}

const ASKS_NOTHING: AskedSecrets = { names: [], providers: [], keyed: [] };

/** A copy in which each reference to a registry is its name, so that the rest can be read as a spec. */
function withNames(value: Json): Json {
  if (Array.isArray(value)) return value.map(withNames);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwn(copy, key, withNames(item));
  return registryName(value) ?? copy;
}

function askedIn(document: JsonObject): AskedSecrets {
  if (!isWithinBudget(document)) return ASKS_NOTHING;
  const named = withNames(document);
  const { spec } = loadSpec({ base: isObject(named) ? named : document });
  if (spec === undefined) return ASKS_NOTHING;
  return { names: namedSecrets(spec), providers: providersOf(spec), keyed: keyedProviders(spec) };
}

/** The names that a snapshot's spec asks for, before any gate; none of a text that is no spec. */
function asked(parts: readonly SnapshotPart[]): Done<AskedSecrets> {
  return tried(() => askedIn(composeSnapshot(parts)));
}

function addNames(value: Json, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) addNames(item, names);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      names.add(key);
      if (key === 'id' && typeof item === 'string') names.add(item);
      addNames(item, names);
    }
  }
}

/** Every name that a step of the text may have, keys of mappings and values of `id`; null when it is no document. */
function namesIn(text: string): ReadonlySet<string> | null {
  const { value } = parseWholeText(text, 'yaml');
  if (value === undefined) return null;
  const names = new Set<string>();
  addNames(value, names);
  return names;
}

function addUses(value: Json, path: readonly PathSegment[], uses: RegistryUse[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) addUses(item, [...path, index], uses);
  } else if (isObject(value)) {
    const name = registryName(value);
    if (name !== undefined) uses.push({ path: formatPath(path), name });
    else for (const [key, item] of Object.entries(value)) addUses(item, [...path, key], uses);
  }
}

/** Where a text names entries of a registry; none in what is no document. */
function registryUses({ name, text }: NamedText): readonly RegistryUse[] {
  const read = readComponent(name, text);
  const uses: RegistryUse[] = [];
  if (read.ok && isWithinBudget(read.document)) addUses(read.document, [], uses);
  return uses;
}

/** The names that a buffer asks for; a text when the buffer is no document. */
function bufferAsked({ name, text }: NamedText): string | AskedSecrets {
  const read = readComponent(name, text, { requireContent: true });
  return read.ok ? askedIn(read.document) : read.reason;
}

/** All that the draft threads can do, by name. */
export const DRAFT_WORK = {
  faultOf,
  bufferGated,
  bufferAsked,
  composed,
  unfolded,
  namesIn,
  opened,
  asked,
  registryUses,
};
