import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MAX_TOKENS,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_REQUEST_TEMPERATURE,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_TOOL_TYPE,
  ATTR_MCP_METHOD_NAME,
  GEN_AI_OPERATION_NAME_VALUE_CHAT,
  GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL,
  MCP_METHOD_NAME_VALUE_TOOLS_CALL,
} from '@opentelemetry/semantic-conventions/incubating';
import { itemsOf } from '../../engine/append-list.ts';
import type {
  CallFunction,
  CallMcpTool,
  CallModel,
  CallTool,
  PendingEffect,
} from '../../engine/effect.ts';
import type { ModelAnswer, RunEvent } from '../../engine/event.ts';
import type { Message } from '../../engine/message.ts';
import { providerAttribute } from './provider-attribute.ts';
import { shownValue } from './shown-value.ts';
import type { SpanAttributes, SpanRecord } from './span-record.ts';
import { known, usageAttributes } from './usage-attributes.ts';

/** What of the texts of calls is sent (contract/platform.md 12). */
export interface RecordedTexts {
  readonly arguments: boolean;
  readonly results: boolean;
}

type Call = CallModel | CallTool | CallMcpTool | CallFunction;
type CallFacts = Pick<SpanRecord, 'name' | 'kind' | 'attributes'>;

export function isCall(effect: PendingEffect): effect is Call {
  return effect.kind !== 'check_text' && effect.kind !== 'start_timer';
}

function text(content: string) {
  return { type: 'text', content };
}

function messageParts({ role, content, tool_call_id }: Message) {
  const id = tool_call_id ?? null;
  return role === 'tool'
    ? { role, parts: [{ type: 'tool_call_response', id, response: content }] }
    : { role, parts: [text(content)] };
}

function answerParts({ text: said, tool_calls }: ModelAnswer) {
  const calls = tool_calls.map(({ id, name, arguments: args }) => ({
    ...{ type: 'tool_call', id, name, arguments: args },
  }));
  return [{ role: 'assistant', parts: [...(said === '' ? [] : [text(said)]), ...calls] }];
}

function modelFacts(call: CallModel, recorded: RecordedTexts): CallFacts {
  const { provider, model } = call.binding;
  const input: SpanAttributes = recorded.arguments
    ? known({
        [ATTR_GEN_AI_INPUT_MESSAGES]: shownValue(itemsOf(call.messages).map(messageParts)),
        [ATTR_GEN_AI_SYSTEM_INSTRUCTIONS]:
          call.system_prompt === null ? null : shownValue([text(call.system_prompt)]),
      })
    : {};
  return {
    name: `${GEN_AI_OPERATION_NAME_VALUE_CHAT} ${model ?? ''}`.trim(),
    kind: 'client',
    attributes: {
      ...known({
        [ATTR_GEN_AI_OPERATION_NAME]: GEN_AI_OPERATION_NAME_VALUE_CHAT,
        [ATTR_GEN_AI_PROVIDER_NAME]: providerAttribute(provider),
        [ATTR_GEN_AI_REQUEST_MODEL]: model,
        [ATTR_GEN_AI_REQUEST_TEMPERATURE]: call.temperature,
        [ATTR_GEN_AI_REQUEST_MAX_TOKENS]: call.max_tokens,
        [ATTR_GEN_AI_AGENT_NAME]: call.agent_name,
        'specwright.model.attempt': call.attempt,
      }),
      ...input,
    },
  };
}

function toolFacts(call: CallTool | CallMcpTool, recorded: RecordedTexts): CallFacts {
  const isMcp = call.kind === 'call_mcp_tool';
  const what = isMcp ? MCP_METHOD_NAME_VALUE_TOOLS_CALL : GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL;
  return {
    name: `${what} ${call.tool}`,
    kind: isMcp ? 'client' : 'internal',
    attributes: known({
      [ATTR_GEN_AI_OPERATION_NAME]: GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL,
      [ATTR_GEN_AI_TOOL_NAME]: call.tool,
      [ATTR_GEN_AI_TOOL_TYPE]: isMcp ? 'extension' : 'function',
      [ATTR_GEN_AI_TOOL_CALL_ID]: call.call_id,
      [ATTR_GEN_AI_AGENT_NAME]: call.agent_name,
      [ATTR_MCP_METHOD_NAME]: isMcp ? MCP_METHOD_NAME_VALUE_TOOLS_CALL : null,
      'specwright.mcp.server': isMcp ? call.server : null,
      [ATTR_GEN_AI_TOOL_CALL_ARGUMENTS]: recorded.arguments ? shownValue(call.arguments) : null,
    }),
  };
}

function functionFacts(call: CallFunction, recorded: RecordedTexts): CallFacts {
  const isStep = call.purpose === 'step';
  return {
    name: isStep ? `step ${call.step_id ?? call.function}` : `${call.purpose} ${call.function}`,
    kind: 'internal',
    attributes: known({
      'specwright.function.name': call.function,
      'specwright.function.purpose': call.purpose,
      'specwright.function.arguments': recorded.arguments ? shownValue(call.args) : null,
    }),
  };
}

/** What the span of a call says from its beginning. */
export function callFacts(call: Call, recorded: RecordedTexts): CallFacts {
  switch (call.kind) {
    case 'call_model':
      return modelFacts(call, recorded);
    case 'call_function':
      return functionFacts(call, recorded);
    case 'call_tool':
    case 'call_mcp_tool':
      return toolFacts(call, recorded);
  }
}

const RESULT_OF = {
  call_tool: ATTR_GEN_AI_TOOL_CALL_RESULT,
  call_mcp_tool: ATTR_GEN_AI_TOOL_CALL_RESULT,
  call_function: 'specwright.function.result',
  call_model: 'specwright.model.result',
} as const satisfies Readonly<Record<Call['kind'], string>>;

/** What the span of a call says of its answer. */
export function answerAttributes(
  call: Call,
  event: RunEvent,
  recorded: RecordedTexts,
): SpanAttributes {
  if (event.type === 'effect_failed') {
    const { type, timed_out } = event.error;
    return { [ATTR_ERROR_TYPE]: timed_out === true ? 'timeout' : (type ?? '_OTHER') };
  }
  if (event.type !== 'effect_succeeded') return {};
  const { result } = event;
  if (result.kind === 'value') {
    return recorded.results ? { [RESULT_OF[call.kind]]: shownValue(result.value) } : {};
  }
  const said = recorded.results
    ? { [ATTR_GEN_AI_OUTPUT_MESSAGES]: shownValue(answerParts(result.answer)) }
    : {};
  return { ...usageAttributes(result.answer.usage), ...said };
}
