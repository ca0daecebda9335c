import { N8N_STEP_TYPES } from '../../../items/n8n-types.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts';

/** Before several triggers: an output for each. */
const NO_OP = 'n8n-nodes-base.noOp';
const SWITCH = 'n8n-nodes-base.switch';
const SWITCH_OF_LISTS = 3;
const OLD_SWITCH_OUTPUTS = 4;

function member(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function counted(value: Json | undefined, otherwise: number): number | undefined {
  if (value === undefined) return otherwise;
  return typeof value === 'number' ? value : undefined;
}

/** How many outputs a Switch has; undefined where only a run knows. */
function switchOutputs(step: JsonObject): number | undefined {
  const parameters = step['parameters'];
  const version = typeof step['version'] === 'number' ? step['version'] : 1;
  if (version < 2) return OLD_SWITCH_OUTPUTS;
  const isNew = version >= SWITCH_OF_LISTS;
  if (member(parameters, 'mode') === 'expression') {
    const name = isNew ? 'numberOutputs' : 'outputsAmount';
    return counted(member(parameters, name), OLD_SWITCH_OUTPUTS);
  }
  const rules = member(member(parameters, 'rules'), isNew ? 'values' : 'rules');
  if (!Array.isArray(rules)) return undefined;
  const fallback = member(member(parameters, 'options'), 'fallbackOutput');
  if (typeof fallback === 'string' && fallback.startsWith('=')) return undefined;
  return rules.length + (fallback === 'extra' ? 1 : 0);
}

/** How many outputs a built-in step has, that for failed items included; undefined where nothing says it. */
export function outputsOf(step: JsonObject): number | undefined {
  const type = step['type'];
  if (typeof type !== 'string' || !Object.hasOwn(N8N_STEP_TYPES, type)) return undefined;
  const triggers = member(step['parameters'], 'triggers');
  if (type === NO_OP && Array.isArray(triggers)) return triggers.length;
  const own = N8N_STEP_TYPES[type]?.outputs;
  const regular = type === SWITCH ? switchOutputs(step) : own;
  if (typeof regular !== 'number') return undefined;
  return regular + (step['on_error'] === 'error_output' ? 1 : 0);
}
