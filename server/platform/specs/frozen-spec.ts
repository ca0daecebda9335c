import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { isJsonObject, parseObject } from '../redaction.ts';

/** The documents of a run as they were read at its creation (spec-v1 1, "Freeze"). */
export interface FrozenSpec {
  readonly base: JsonObject;
  readonly overlays: readonly JsonObject[];
  readonly overrides: JsonObject;
  readonly environment: string | null;
  readonly skillsOverlay: { readonly add: string[]; readonly disable: string[] } | null;
  /** Text of every declared skill by name. */
  readonly skills: Readonly<Record<string, string>>;
  /** True when the base came from a file. */
  readonly byPath: boolean;
  /** The caller's `metadata.recording`, as it was given. */
  readonly recording: Json | undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Reads the frozen documents back from the metadata that a run was created with. */
export function frozenSpecOf(createdMetadata: string): FrozenSpec | undefined {
  const metadata = parseObject(createdMetadata);
  const frozen = metadata['frozen_spec'];
  if (!isJsonObject(frozen) || !isJsonObject(frozen['base'])) return undefined;
  const overlays = Array.isArray(frozen['overlays']) ? frozen['overlays'].filter(isJsonObject) : [];
  const overrides = metadata['overrides'];
  const overlay = metadata['skills_overlay'];
  const skills: Record<string, string> = {};
  for (const [name, text] of Object.entries(isObject(frozen['skills']) ? frozen['skills'] : {})) {
    if (typeof text === 'string') skills[name] = text;
  }
  const environment = metadata['environment'];
  const caller = metadata['caller_metadata'];
  return {
    base: frozen['base'],
    overlays,
    overrides: isJsonObject(overrides) ? overrides : {},
    environment: typeof environment === 'string' ? environment : null,
    skillsOverlay: isObject(overlay)
      ? { add: texts(overlay['add']), disable: texts(overlay['disable']) }
      : null,
    skills,
    byPath: metadata['spec'] === null && metadata['spec_path'] !== null,
    recording: isJsonObject(caller) ? caller['recording'] : undefined,
  };
}
