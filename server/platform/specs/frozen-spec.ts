import { NO_REHEARSAL, type Rehearsal, rehearsal } from '../../contract/platform/rehearsals.ts';
import { isJsonObject, isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { type LoadedSpec, loadSpec } from '../../spec/load/load-spec.ts';
import { markPlaces, type NonTextPlaces, nonTextPlaces } from '../../spec/values/non-text.ts';
import { parseObject } from '../redaction.ts';

/** The documents of a run as they were read at its creation (spec-v1 1, "Freeze"). */
export interface FrozenSpec {
  readonly base: JsonObject;
  readonly overlays: readonly JsonObject[];
  readonly overrides: JsonObject;
  readonly environment: string | null;
  readonly skillsOverlay: { readonly add: string[]; readonly disable: string[] } | null;
  /** Text of every declared skill by name. */
  readonly skills: Readonly<Record<string, string>>;
  /** Settings that declared skills bring along, by name. */
  readonly skillDefaults: Readonly<Record<string, JsonObject>>;
  /** True when the base came from a file. */
  readonly byPath: boolean;
  /** The caller's `metadata.recording`, as it was given. */
  readonly recording: Json | undefined;
  /** The caller's `metadata.rehearsal`; nothing where none was given. */
  readonly rehearsal: Rehearsal;
  /** The studio's project that the caller's `metadata.authoring` names; null for none. */
  readonly project: string | null;
}

function placesOf(document: JsonObject): JsonObject | null {
  const places: NonTextPlaces | undefined = nonTextPlaces(document);
  return places === undefined ? null : { values: places.values, keys: places.keys };
}

/** What the documents' JSON cannot say, to be frozen beside it: where text was a date or a key no text. */
export function notTextOf(documents: Pick<FrozenSpec, 'base' | 'overlays'>): JsonObject {
  const base = placesOf(documents.base);
  const overlays = documents.overlays.map(placesOf);
  const none = base === null && overlays.every((places) => places === null);
  return none ? {} : { not_text: { base, overlays } };
}

function markNotText(documents: Pick<FrozenSpec, 'base' | 'overlays'>, notText: unknown): void {
  if (!isObject(notText)) return;
  markPlaces(documents.base, notText['base']);
  const places: unknown = notText['overlays'];
  if (!Array.isArray(places)) return;
  documents.overlays.forEach((overlay, index) => {
    markPlaces(overlay, places[index]);
  });
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function skillsOf(frozen: Readonly<Record<string, unknown>>) {
  const skills: Record<string, string> = {};
  const skillDefaults: Record<string, JsonObject> = {};
  for (const [name, kept] of Object.entries(frozen)) {
    if (typeof kept === 'string') skills[name] = kept;
    else if (isJsonObject(kept)) {
      const { instructions, defaults } = kept;
      if (typeof instructions === 'string') skills[name] = instructions;
      if (isJsonObject(defaults)) skillDefaults[name] = defaults;
    }
  }
  return { skills, skillDefaults };
}

/** The studio's project that a caller's metadata name. */
export function projectOf(caller: unknown): string | null {
  const authoring = isObject(caller) ? caller['authoring'] : undefined;
  const project: unknown = isObject(authoring) ? authoring['project_id'] : undefined;
  return typeof project === 'string' ? project : null;
}

function rehearsalOf(given: Json | undefined): Rehearsal {
  const read = rehearsal.safeParse(given);
  return read.success ? read.data : NO_REHEARSAL;
}

/** Reads the frozen documents back from the metadata that a run was created with. */
export function frozenSpecOf(createdMetadata: string): FrozenSpec | undefined {
  const metadata = parseObject(createdMetadata);
  const frozen = metadata['frozen_spec'];
  if (!isJsonObject(frozen) || !isJsonObject(frozen['base'])) return undefined;
  const overlays = Array.isArray(frozen['overlays']) ? frozen['overlays'].filter(isJsonObject) : [];
  const base = frozen['base'];
  markNotText({ base, overlays }, frozen['not_text']);
  const overrides = metadata['overrides'];
  const overlay = metadata['skills_overlay'];
  const skills = skillsOf(isObject(frozen['skills']) ? frozen['skills'] : {});
  const environment = metadata['environment'];
  const caller = metadata['caller_metadata'];
  return {
    base,
    overlays,
    overrides: isJsonObject(overrides) ? overrides : {},
    environment: typeof environment === 'string' ? environment : null,
    skillsOverlay: isObject(overlay)
      ? { add: texts(overlay['add']), disable: texts(overlay['disable']) }
      : null,
    ...skills,
    byPath: metadata['spec'] === null && metadata['spec_path'] !== null,
    recording: isJsonObject(caller) ? caller['recording'] : undefined,
    rehearsal: rehearsalOf(isJsonObject(caller) ? caller['rehearsal'] : undefined),
    project: projectOf(caller),
  };
}

/** Layers and checks the frozen documents as they were when the run was created. */
export function loadFrozenSpec(frozen: FrozenSpec): LoadedSpec {
  return loadSpec({
    base: frozen.base,
    overlays: frozen.overlays,
    overrides: frozen.overrides,
    environment: frozen.environment,
    skills: frozen.skillsOverlay,
  });
}
