import { type Json, type JsonObject, setOwn } from '../../../kernel/json.ts';
import { looksSecret } from '../../../kernel/secret-names.ts';
import type { AgentExtras, Loss } from '../../graph-ir.ts';
import { jsonOf } from '../../json-of.ts';
import type { N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { sortedOptions } from '../models.ts';
import type { Scene } from '../scene.ts';

const MAX_TOKENS: ReadonlySet<string> = new Set([
  'maxTokens',
  'maxTokensToSample',
  'maxOutputTokens',
  'numPredict',
]);
const SKIPPED: ReadonlySet<string> = new Set(['model']);
const RENAMED: Readonly<Record<string, string>> = { baseURL: 'base_url', baseUrl: 'base_url' };

/** The options of a model element in the words of the spec. */
export interface CarriedModel {
  readonly members: JsonObject;
  /** Names of the options that went to `extra`. */
  readonly extra: readonly string[];
}

function literalOnly(key: string, text: string): string | undefined {
  if (looksSecret(key)) return undefined;
  const reading = readText(text);
  return reading.computed ? undefined : reading.text;
}

function isTemperature(key: string, value: Json): boolean {
  return key === 'temperature' && typeof value === 'number' && value >= 0;
}

function isTokenLimit(key: string, value: Json): boolean {
  return MAX_TOKENS.has(key) && typeof value === 'number' && Number.isInteger(value) && value > 0;
}

/** Temperature and token limit become members of the model, the rest its `extra` (importers 14). */
export function carryModelOptions(node: N8nNode): CarriedModel {
  const members: JsonObject = {};
  const extra: JsonObject = {};
  for (const [key, value] of sortedOptions(node)) {
    if (SKIPPED.has(key)) continue;
    const json = jsonOf(value, literalOnly, key);
    if (json === undefined || json === null) continue;
    if (isTemperature(key, json)) members['temperature'] = json;
    else if (isTokenLimit(key, json)) members['max_tokens'] = json;
    else setOwn(extra, RENAMED[key] ?? key, json);
  }
  if (Object.keys(extra).length > 0) members['extra'] = extra;
  return { members, extra: Object.keys(extra) };
}

/** Options that the model folded into a node carries into its agent. */
export function foldedExtras(node: N8nNode, scene: Scene): AgentExtras {
  const folded = scene.folded.get(node.id);
  return folded === undefined ? {} : { model: carryModelOptions(folded.node).members };
}

/** Says once where the options of a model went. */
export function extraLosses(node: N8nNode): Loss[] {
  const { extra } = carryModelOptions(node);
  if (extra.length === 0) return [];
  const detail = `Options of the model "${node.name}" are in the draft as extra settings of the model: ${extra.join(', ')}.`;
  const todo = 'Check that the platform passes them on.';
  return [{ ref: node.ref, kind: 'carried_as', severity: 'info', detail, todo }];
}
