import { itemsOf } from '../../engine/append-list.ts';
import type { CallModel } from '../../engine/effect.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { CallOptions } from './language-model.ts';
import { modelFailure } from './model-failure.ts';
import { toPrompt } from './prompt.ts';
import type { ToolNames } from './tool-names.ts';

type Tool = NonNullable<CallOptions['tools']>[number];
type Schema = Extract<Tool, { type: 'function' }>['inputSchema'];

function refuse(name: string, wanted: string): never {
  throw modelFailure('model_settings_invalid', `model.extra.${name} must be ${wanted}.`);
}

function numberOf(extra: JsonObject, name: string): number | undefined {
  const value = extra[name];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse(name, 'a number');
}

function stopsOf(extra: JsonObject): string[] | undefined {
  const name = extra['stop'] === undefined ? 'stop_sequences' : 'stop';
  const value = extra[name];
  if (value === undefined || value === null) return undefined;
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => (typeof item === 'string' ? item : refuse(name, 'a list of texts')));
}

/** `json`, `text`, or an object in the form of chat completions. */
function formatOf(extra: JsonObject): CallOptions['responseFormat'] {
  const value = extra['response_format'];
  if (value === undefined || value === null) return undefined;
  const type = isJsonObject(value) ? value['type'] : value;
  if (type === 'text') return { type: 'text' };
  if (type === 'json' || type === 'json_object') return { type: 'json' };
  const described =
    isJsonObject(value) && type === 'json_schema' ? value['json_schema'] : undefined;
  if (!isJsonObject(described) || !isJsonObject(described['schema'])) {
    return refuse('response_format', 'text, json, or a json_schema with its schema');
  }
  const name = described['name'];
  return {
    type: 'json',
    schema: described['schema'],
    ...(typeof name === 'string' ? { name } : {}),
  };
}

/** Providers refuse an object schema without `properties`. */
function inputSchema(parameters: JsonObject): Schema {
  const properties = isJsonObject(parameters['properties']) ? parameters['properties'] : {};
  return { ...parameters, type: 'object', properties };
}

const NUMBERS = [
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['presencePenalty', 'presence_penalty'],
  ['seed', 'seed'],
] as const;

/**
 * What a provider's client is asked for. Beside the fields of the spec's model, `extra` may hold
 * `top_p`, `top_k`, `frequency_penalty`, `presence_penalty`, `seed`, `stop` and `response_format`.
 * @throws EffectFailure `model_settings_invalid` for a value of the wrong type
 */
export function toCallOptions(
  effect: CallModel,
  names: ToolNames,
  abortSignal: AbortSignal,
): CallOptions {
  const { extra, tools } = effect;
  const options: CallOptions = {
    prompt: toPrompt(effect.system_prompt, itemsOf(effect.messages), names, tools.length > 0),
    temperature: effect.temperature,
    abortSignal,
  };
  if (effect.max_tokens !== null) options.maxOutputTokens = effect.max_tokens;
  for (const [option, name] of NUMBERS) {
    const value = numberOf(extra, name);
    if (value !== undefined) options[option] = value;
  }
  const stops = stopsOf(extra);
  if (stops !== undefined) options.stopSequences = stops;
  const format = formatOf(extra);
  if (format !== undefined) options.responseFormat = format;
  if (tools.length > 0) {
    options.tools = tools.map(
      (tool): Tool => ({
        type: 'function',
        name: names.toWire(tool.name),
        description: tool.description,
        inputSchema: inputSchema(tool.parameters),
      }),
    );
  }
  return options;
}
