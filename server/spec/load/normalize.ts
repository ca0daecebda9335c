import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { carryAllMarks } from '../values/non-text.ts';

/** A shallow copy that may be changed; what it holds is shared with the original. */
function shallow(value: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, value[key] ?? null);
  carryAllMarks(value, copy);
  return copy;
}

function normalizeAgent(value: Json): Json {
  if (!isObject(value)) return value;
  const agent = shallow(value);
  const { strategy, tools, model, defaults } = agent;
  if (typeof strategy === 'string') agent['strategy'] = { type: strategy };
  if (Array.isArray(tools)) agent['tools'] = { include: tools };
  if (typeof model === 'string') agent['model'] = { name: model, provider: 'default' };
  if (defaults === undefined) agent['defaults'] = {};
  return agent;
}

function normalizeStep(step: Json): Json {
  return typeof step === 'string' ? { id: step, kind: 'agent', ref: step } : step;
}

function normalizeRootWorkflow(value: Json): Json {
  if (!isObject(value)) return value;
  const { type, steps, max_steps } = value;
  if (type === 'sequential' && (steps === undefined || steps === null || Array.isArray(steps))) {
    const workflow = shallow(value);
    const full = (steps ?? []).map(normalizeStep);
    if (Array.isArray(steps)) carryAllMarks(steps, full);
    workflow['steps'] = full;
    return workflow;
  }
  if (type === 'graph' && max_steps === undefined) {
    const workflow = shallow(value);
    workflow['max_steps'] = 50;
    return workflow;
  }
  return value;
}

function normalizeComponents(value: JsonObject): JsonObject {
  const agents = value['agents'];
  if (!isObject(agents)) return value;
  const components = shallow(value);
  const full = shallow(agents);
  for (const name of Object.keys(agents)) setOwn(full, name, normalizeAgent(agents[name] ?? null));
  components['agents'] = full;
  return components;
}

/**
 * Writes shorthand out in full (spec-v1 3). The document is not changed; wrong shapes pass through
 * and fail in the schema check.
 */
export function normalizeDocument(document: JsonObject): JsonObject {
  const spec = shallow(document);
  const { agent, workflow, components } = spec;
  if (agent !== undefined) spec['agent'] = normalizeAgent(agent);
  if (workflow !== undefined) spec['workflow'] = normalizeRootWorkflow(workflow);
  if (components === undefined) spec['components'] = {};
  else if (isObject(components)) spec['components'] = normalizeComponents(components);
  return spec;
}
