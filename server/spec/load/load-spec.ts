import { isObject, type JsonObject } from '../../kernel/json.ts';
import { checkSchema } from '../schema/check-schema.ts';
import type { Spec } from '../schema/spec-types.ts';
import { copyObject } from '../values/copy-json.ts';
import { asAnswered, type Diagnostic } from '../values/diagnostic.ts';
import { isTooDeep } from '../yaml/json-nodes.ts';
import { TOO_DEEP } from '../yaml/syntax.ts';
import { normalizeDocument } from './normalize.ts';
import { layerDocuments } from './overlay.ts';
import { isKnownVersion, type Upgrade, upgradeDocument } from './upgrade.ts';

/** Skills switched on and off on the root agent (spec-v1 7). */
export interface SkillsOverlay {
  readonly add?: readonly string[] | undefined;
  readonly disable?: readonly string[] | undefined;
}

export interface LoadInput {
  readonly base: JsonObject;
  readonly overlays?: readonly JsonObject[] | undefined;
  readonly overrides?: JsonObject | null | undefined;
  readonly environment?: string | null | undefined;
  readonly skills?: SkillsOverlay | null | undefined;
}

/** A refusal that is no diagnostic; services answer it as 400 `invalid_request`. */
export interface LoadRefusal {
  readonly code: 'invalid_request';
  readonly message: string;
}

/**
 * A loaded spec. `document` is the layered document before migration. Without `spec`, `diagnostics`
 * says why (E_VERSION, E_PARSE or E_SCHEMA), or `refusal` does.
 */
export type LoadedSpec =
  | {
      readonly spec: Spec;
      readonly document: JsonObject;
      readonly migration: Upgrade;
      readonly diagnostics: Diagnostic[];
      readonly refusal: null;
    }
  | {
      readonly spec: undefined;
      readonly document?: JsonObject;
      readonly diagnostics: Diagnostic[];
      readonly refusal: LoadRefusal | null;
    };

function finding(
  code: string,
  message: string,
  path: string | null,
  suggestion: string | null,
): Diagnostic {
  return { code, severity: 'error', message, path, suggestion };
}

function withEnvironment(document: JsonObject, environment: string): JsonObject {
  const metadata = document['metadata'] ?? {};
  if (!isObject(metadata) || (metadata['environment'] ?? '') !== '') return document;
  const noted = copyObject(metadata);
  noted['environment'] = environment;
  return { ...document, metadata: noted };
}

function withSkills(spec: Spec, overlay: SkillsOverlay): Spec | LoadRefusal {
  const { add = [], disable = [] } = overlay;
  const undeclared = add.filter((name) => !Object.hasOwn(spec.skills, name));
  if (undeclared.length > 0) {
    const message = `skills overlay 'add' references undeclared skill(s): ${undeclared.join(', ')}`;
    return { code: 'invalid_request', message };
  }
  const skills = [...new Set([...spec.agent.skills, ...add])].filter(
    (name) => !disable.includes(name),
  );
  return { ...spec, agent: { ...spec.agent, skills } };
}

/** {@link loadSpec} for an editor: with what it can answer the findings by. */
export function loadSpecToEdit(input: LoadInput): LoadedSpec {
  const layers = [input.base, ...(input.overlays ?? []), input.overrides ?? {}];
  if (layers.some(isTooDeep)) {
    return {
      spec: undefined,
      diagnostics: [finding('E_PARSE', TOO_DEEP, null, null)],
      refusal: null,
    };
  }
  const plain = (input.overlays ?? []).length === 0 && !input.overrides;
  const document = plain ? input.base : layerDocuments(input.base, input.overlays, input.overrides);
  const version = Object.hasOwn(document, 'version') ? document['version'] : undefined;
  if (!isKnownVersion(version)) {
    const shown = typeof version === 'string' ? version : JSON.stringify(version);
    const message = `Unsupported spec version: ${shown}`;
    const diagnostics = [finding('E_VERSION', message, 'version', 'Write "version: v1".')];
    return { spec: undefined, document, diagnostics, refusal: null };
  }
  const migration = upgradeDocument(document);
  const normal = normalizeDocument(migration.spec);
  const environment = input.environment;
  const checked = checkSchema(environment ? withEnvironment(normal, environment) : normal);
  if (checked.spec === undefined) {
    return { spec: undefined, document, diagnostics: checked.diagnostics, refusal: null };
  }
  if (!input.skills)
    return { spec: checked.spec, document, migration, diagnostics: [], refusal: null };
  const spec = withSkills(checked.spec, input.skills);
  if ('code' in spec) return { spec: undefined, document, diagnostics: [], refusal: spec };
  return { spec, document, migration, diagnostics: [], refusal: null };
}

/** layer → migrate → normalize → environment → schema check → skills overlay (spec-v1 1). Never throws. */
export function loadSpec(input: LoadInput): LoadedSpec {
  const loaded = loadSpecToEdit(input);
  return loaded.spec === undefined
    ? { ...loaded, diagnostics: loaded.diagnostics.map(asAnswered) }
    : loaded;
}
