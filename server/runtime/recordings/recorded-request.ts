import { itemsOf } from '../../engine/append-list.ts';
import type { CallMcpTool, CallModel, CallTool, PendingEffect } from '../../engine/effect.ts';
import type { Message } from '../../engine/message.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { redactValue } from '../../kernel/redact.ts';
import { sha256Hex } from '../../kernel/sha256.ts';

/** The effects that a recording holds: calls of models and of tools. */
export type RecordedEffect = CallModel | CallTool | CallMcpTool;

/** Where a model is and how it is reached does not change what it is asked. */
const PLACE = new Set(['base_url', 'api_key', 'api_key_ref', 'api_key_env', 'stream']);

/** Whether an effect goes out to a model or a tool; the offline runtime's answers need no recording. */
export function isRecorded(effect: PendingEffect): effect is RecordedEffect {
  if (effect.kind === 'call_model') return effect.binding.provider !== 'offline';
  return effect.kind === 'call_tool' || effect.kind === 'call_mcp_tool';
}

function messageOf({ role, content, name, tool_call_id, metadata }: Message): JsonObject {
  const calls = metadata['tool_calls'];
  return {
    role,
    content,
    ...(name === null ? {} : { name }),
    ...(tool_call_id === null ? {} : { tool_call_id }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
}

function modelRequest(effect: CallModel): JsonObject {
  const settings = Object.entries(effect.extra).filter(([name]) => !PLACE.has(name));
  return {
    kind: 'call_model',
    agent_name: effect.agent_name,
    phase: effect.phase,
    provider: effect.binding.provider,
    model: effect.binding.model,
    system_prompt: effect.system_prompt,
    messages: itemsOf(effect.messages).map(messageOf),
    tools: effect.tools.map(({ name, description, parameters }) => {
      return { name, description, parameters };
    }),
    temperature: effect.temperature,
    max_tokens: effect.max_tokens,
    extra: Object.fromEntries(settings),
  };
}

function requestOf(effect: RecordedEffect): JsonObject {
  if (effect.kind === 'call_model') return modelRequest(effect);
  const { kind, agent_name, tool } = effect;
  const shared = { kind, agent_name, tool, arguments: effect.arguments };
  if (effect.kind === 'call_tool') return shared;
  return { ...shared, server: effect.server, remote_name: effect.remote_name };
}

/** A JSON object with secret-looking text masked. */
export function redacted(value: object): JsonObject {
  const masked = redactValue(value);
  return isJsonObject(masked) ? masked : {};
}

/** What a call asks, secrets masked, and its hash. */
export interface RecordedRequest {
  readonly request: JsonObject;
  readonly fingerprint: string;
}

/** The request of an effect as it stands in a recording. The hash is one of the masked form. */
export function recordedRequest(effect: RecordedEffect): RecordedRequest {
  const request = redacted(requestOf(effect));
  return { request, fingerprint: sha256Hex(canonicalJson(request)).slice(0, 32) };
}
