import type { Item, JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { type Handler, itemsOf, StepFailure } from '../handler.ts';
import { settingsByItem, settingsOfFirst } from './step-settings.ts';

/** From this version on the step says which fields the called workflow gets. */
const MAPPING = 1.2;

/** Fields that the author took out of what goes in. */
function removedIn(parameters: JsonObject): ReadonlySet<string> {
  const { workflowInputs } = parameters;
  const schema = isObject(workflowInputs) ? workflowInputs['schema'] : undefined;
  const fields = Array.isArray(schema) ? schema.filter(isObject) : [];
  return new Set(
    fields
      .filter(({ removed }) => removed === true)
      .map(({ id, displayName }) => String(displayName ?? id)),
  );
}

function without(json: JsonObject, removed: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([key]) => !removed.has(key)));
}

/**
 * Execute Workflow: with what another workflow is called, and how often. The flow calls it; where
 * none stands behind the step, it does not exist.
 */
export const handleExecuteWorkflow: Handler = async (call) => {
  if (call.isCalling !== true) throw new StepFailure('Workflow does not exist.');
  const items = itemsOf(call);
  const { version, parameters } = call.node;
  const first = await settingsOfFirst(call, items);
  const calls = {
    each: first.text('mode', 'once') === 'each',
    waits: first.value('options.waitForSubWorkflow', true) !== false,
  };
  if (version < MAPPING) return { outputs: [items], calls };
  const removed = removedIn(parameters);
  const own = await settingsByItem(call, items);
  const handed = items.map((item, at): Item => {
    const json = { ...item.json, ...own[at]?.object('workflowInputs.value') };
    return { ...item, json: without(json, removed) };
  });
  return { outputs: [handed], calls };
};

/** The fields that a called workflow says that it takes; undefined when it takes all. */
function fieldsTaken(parameters: JsonObject): readonly string[] | undefined {
  const { inputSource, workflowInputs, jsonExample } = parameters;
  if (inputSource === 'jsonExample') {
    const example: unknown = typeof jsonExample === 'string' ? parsed(jsonExample) : jsonExample;
    return isObject(example) ? Object.keys(example) : [];
  }
  if (inputSource === 'passthrough') return undefined;
  const values = isObject(workflowInputs) ? workflowInputs['values'] : undefined;
  if (!Array.isArray(values)) return undefined;
  return values.filter(isObject).map(({ name }) => String(name));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StepFailure('The example of the input is no JSON.');
  }
}

/** The first step of a called workflow: of what it is given it takes the fields that it names. */
export const handleCalledTrigger: Handler = async (call) => {
  const given = call.inputs[0] ?? [];
  const items = given.length === 0 ? [{ json: {}, pairedItem: { item: 0 } }] : given;
  const fields = fieldsTaken(call.node.parameters);
  if (fields === undefined) return [items];
  return [
    items.map((item) => ({
      ...item,
      json: Object.fromEntries(fields.map((name) => [name, item.json[name] ?? null])),
    })),
  ];
};
