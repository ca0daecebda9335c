import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { mergeDocuments } from '../../spec/load/overlay.ts';
import { carryAllMarks } from '../../spec/values/non-text.ts';
import type { ProjectConfig } from './project-config.ts';

function mappingAt(holder: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
  return isObject(value) ? value : undefined;
}

function withValue(holder: JsonObject, key: string, value: Json): JsonObject {
  const changed = { ...holder };
  carryAllMarks(holder, changed);
  setOwn(changed, key, value);
  return changed;
}

/** Sets what is absent; what is there stays. */
function fill(holder: JsonObject, values: Readonly<Record<string, Json | undefined>>): JsonObject {
  let filled = holder;
  for (const [key, value] of Object.entries(values)) {
    const present = Object.hasOwn(filled, key) && filled[key] !== null;
    if (value !== undefined && !present) filled = withValue(filled, key, value);
  }
  return filled;
}

function withMetadata(document: JsonObject, config: ProjectConfig, env: string): JsonObject {
  const metadata = document['metadata'] ?? {};
  if (!isObject(metadata)) return document;
  const noted = fill(metadata, { project: config.project.name, environment: env });
  return withValue(document, 'metadata', noted);
}

function modelOf(own: Json | undefined, defaults: JsonObject): Json {
  if (own === undefined || own === null) return defaults;
  // A model that the spec gives as a bare name gets no defaults of the project.
  if (!isObject(own)) return own;
  const merged: JsonObject = { ...defaults, ...own };
  const [below, above] = [mappingAt(defaults, 'extra'), mappingAt(own, 'extra')];
  if (below !== undefined && above !== undefined) merged['extra'] = { ...below, ...above };
  return merged;
}

/** An empty mapping of defaults is none: laid under a spec it would make an empty model of it. */
function saysSomething(defaults: JsonObject): boolean {
  return Object.keys(defaults).length > 0;
}

function withAgent(document: JsonObject, config: ProjectConfig, env: string): JsonObject {
  const key = Object.hasOwn(document, 'agent') ? 'agent' : 'root_agent';
  let agent = mappingAt(document, key);
  if (agent === undefined) return document;
  const { runtime_defaults = {}, model_defaults } = config;
  if (saysSomething(runtime_defaults)) {
    const own = mappingAt(agent, 'runtime_preferences');
    agent =
      own === undefined
        ? fill(agent, { runtime_preferences: runtime_defaults })
        : withValue(agent, 'runtime_preferences', fill(own, runtime_defaults));
  }
  const model = Object.hasOwn(model_defaults, env) ? model_defaults[env] : undefined;
  if (model !== undefined && saysSomething(model))
    agent = withValue(agent, 'model', modelOf(agent['model'], model));
  return withValue(document, key, agent);
}

/**
 * Lays a document over what its project sets for the environment (spec-v1 7): nothing that the
 * document says is overwritten. The document does not change.
 */
export function applyProject(document: JsonObject, config: ProjectConfig, env: string): JsonObject {
  const { environments, policies } = config;
  const own = Object.hasOwn(environments, env) ? environments[env] : undefined;
  const bases = [policies.project_defaults, own?.defaults].filter((base) => base !== undefined);
  const based =
    bases.length === 0
      ? document
      : [...bases.slice(1), document].reduce(mergeDocuments, bases[0] ?? {});
  return withAgent(withMetadata(based, config, env), config, env);
}
