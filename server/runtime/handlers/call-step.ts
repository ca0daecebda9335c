import { builtInName, type FlowStepSettings, type ToolSettings } from '../../contract/flow.ts';
import type { FlowCall } from '../../engine/flow-call.ts';
import type { Evaluator, StepContext } from '../../expressions/port/evaluator.ts';
import { ExpressionFailure } from '../../expressions/port/limits.ts';
import { jsonOf, type Value } from '../../expressions/port/values.ts';
import type { DifyFacts } from '../../handlers/dify/dify-facts.ts';
import { DIFY_HANDLERS } from '../../handlers/dify/handlers.ts';
import { askedOf } from '../../handlers/dify/prompts.ts';
import { type HandlerNode, StepFailure } from '../../handlers/handler.ts';
import { N8N_HANDLERS } from '../../handlers/n8n/handlers.ts';
import { requestsOfCode } from '../../handlers/n8n/http/code-request.ts';
import { toolStep } from '../../handlers/own-tools.ts';
import type { HandlerPorts } from '../../handlers/ports.ts';
import { runStep, type StepConduct, type StepRun } from '../../handlers/run-step.ts';
import type { Item, JsonObject } from '../../items/item.ts';
import { notedIn } from '../../items/noted.ts';
import { createReader } from '../../items/reader.ts';
import { itemsOfFields, storeOutputs } from '../../items/stored-output.ts';
import { textOfItems } from '../../items/text-of-item.ts';
import type { Clock } from '../../kernel/clock.ts';
import {
  isJsonObject,
  isObject,
  type Json,
  type JsonObject as PlainObject,
} from '../../kernel/json.ts';
import { isBuiltIn } from '../handler-registry.ts';
import { RecordingFailure } from '../recordings/recording-file.ts';
import { type CallHandler, EffectFailure } from '../run-effects.ts';
import { createHandlerPorts } from './handler-ports.ts';
import { SecretWatch } from './kept-secrets.ts';

/** Calls a tool of a server that the draft declares. @throws EffectFailure */
export type CallMcpServer = (
  server: string,
  tool: string,
  given: PlainObject,
  signal: AbortSignal,
) => Promise<string>;

/** What built-in steps of one run are performed with. */
export interface StepPorts {
  readonly runId: string;
  readonly clock: Clock;
  readonly evaluator: Evaluator;
  /** What a credential of the source is bound to. */
  readonly credential: HandlerPorts['credential'];
  /** Functions of the author. */
  readonly callHandler: CallHandler;
  readonly callMcp: CallMcpServer;
}

/** The zone in which expressions compute where the workflow names none. */
const STANDARD_ZONE = 'America/New_York';

function seedOf(runId: string, count: number): number {
  let seed = count;
  for (const character of runId) seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return seed >>> 0;
}

/** Whether the run began with a request that says that it came to the source's own address. */
function modeOf(record: FlowCall['record']): string {
  const begun = [...record.values()].find(([run]) => run?.sources.length === 0)?.[0];
  return begun?.outputs[0]?.[0]?.json['executionMode'] === 'production' ? 'webhook' : 'manual';
}

function contextOf({ runId, clock }: StepPorts, call: FlowCall): Omit<StepContext, 'items'> {
  const { flow, step, source, runIndex, count, shape, record, inputs } = call;
  const { name, type, version, parameters, id = name } = step;
  const itemCount = inputs[0]?.length ?? 0;
  return {
    session: runId,
    facts: {
      now: Math.floor(clock.now()),
      zone: flow.zone ?? STANDARD_ZONE,
      seed: seedOf(runId, count),
      node: { id, name, type, version, parameters },
      workflow: { id: '', name: flow.name, active: false },
      execution: {
        id: runId,
        mode: modeOf(record),
        resumeUrl: '',
        resumeFormUrl: '',
        noted: notedIn(record),
      },
      prevNode:
        source === null
          ? null
          : { name: source.node, outputIndex: source.output, runIndex: source.run },
      runIndex,
      vars: {},
      extras: {},
    },
    reader: createReader({ shape, record, node: id, source, itemCount }),
  };
}

function nodeOf(step: FlowStepSettings): HandlerNode {
  const { name, type, version, parameters, on_error, execute_once, credentials = {} } = step;
  const executeOnce = execute_once === true;
  return {
    ...{ name, type, version, parameters, credentials },
    ...{ onError: on_error ?? 'stop', executeOnce },
  };
}

function conductOf({ always_output, retry }: FlowStepSettings): StepConduct {
  return {
    alwaysOutput: always_output === true,
    retry: retry === undefined ? null : { tries: retry.tries, waitMs: retry.wait_ms },
  };
}

function fieldsOf(value: unknown): Item['json'] {
  return isObject(value) ? value : { output: value };
}

/** What a function of the author returned, as items. */
function itemsGiven(value: unknown): readonly Item[] {
  return itemsOfFields((Array.isArray(value) ? value : [value]).map(fieldsOf));
}

function textOf(value: Value | undefined): string {
  if (value?.kind === 'failed') throw new StepFailure(value.message);
  const json = value === undefined ? undefined : jsonOf(value);
  if (json === undefined || json === null) return '';
  return typeof json === 'string' ? json : JSON.stringify(json);
}

function difyOf({ flow, step, record }: FlowCall): DifyFacts {
  return { flow, record, id: step.id ?? step.name };
}

async function promptTexts(ports: StepPorts, call: FlowCall): Promise<Json> {
  const { prompt = '' } = call.step;
  const items = call.inputs[0] ?? [];
  if (call.flow.source === 'dify')
    return items.map(() => askedOf(difyOf(call), call.instructions, prompt));
  if (!prompt.startsWith('=')) return items.map(() => prompt);
  const context = { ...contextOf(ports, call), items };
  const rows = await ports.evaluator.evaluate(context, [prompt.slice(1)]);
  return items.map((_, at) => textOf(rows[at]?.[0]));
}

/** What a step gets of the world; its requests go where the flow lets them. */
function worldOf({ credential, callMcp }: StepPorts, { flow }: FlowCall, signal: AbortSignal) {
  const policy = {
    allowedDomains: flow.allowed_domains ?? [],
    deniedDomains: flow.denied_domains ?? [],
  };
  const mcp: HandlerPorts['mcp'] = async (server, tool, given) => {
    try {
      const args = plain(given);
      return await callMcp(server, tool, isJsonObject(args) ? args : {}, signal);
    } catch (error) {
      // What a step does on a failure of its server is what its settings say.
      if (error instanceof RecordingFailure || !(error instanceof EffectFailure)) throw error;
      throw new StepFailure(error.message);
    }
  };
  return createHandlerPorts({ signal, policy, credential, mcp });
}

async function stepRun(
  ports: StepPorts,
  call: FlowCall,
  implementation: string,
  signal: AbortSignal,
  conduct: StepConduct & { readonly isCalling?: true } = conductOf(call.step),
): Promise<StepRun> {
  const { step, inputs, kept } = call;
  const handler = N8N_HANDLERS[step.type] ?? DIFY_HANDLERS[step.type];
  if (handler === undefined || builtInName(step.type) !== implementation)
    throw new StepFailure(
      `'${step.name}' is of the type ${step.type}, which ${implementation} is not for.`,
    );
  const watch = new SecretWatch();
  const world = watch.watched(worldOf(ports, call, signal));
  const made = {
    node: nodeOf(step),
    kept,
    inputs,
    step: { ...contextOf(ports, call), signal },
    evaluator: ports.evaluator,
    services: { http_request: requestsOfCode(world.http) },
    ...(call.flow.source === 'dify' ? { dify: difyOf(call) } : {}),
    ...world,
    ...(conduct.isCalling === undefined ? {} : { isCalling: conduct.isCalling }),
  };
  try {
    return watch.value(await runStep(handler, made, conduct, made.pause));
  } catch (error) {
    throw watch.failure(error);
  }
}

/** The words of a source's failure are the run's; nothing of it is tried as another type. */
function failureOf(error: unknown): unknown {
  if (error instanceof StepFailure) return new EffectFailure(error.message);
  if (error instanceof ExpressionFailure) return new EffectFailure(error.message);
  return error;
}

/** A value that crosses to the engine: JSON as it would be stored. */
function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Calls a built-in step, or a function of the author that stands in an item flow. */
export async function callStep(
  ports: StepPorts,
  call: FlowCall,
  implementation: string,
  signal: AbortSignal,
): Promise<Json> {
  try {
    if (!isBuiltIn(implementation)) {
      const text = textOfItems(call.inputs[0] ?? []);
      const value = await ports.callHandler(implementation, [text], signal);
      return plain({ outputs: storeOutputs([itemsGiven(value)]) });
    }
    const { outputs, context, waitUntil, response, failed } = await stepRun(
      ports,
      call,
      implementation,
      signal,
    );
    return plain({
      outputs: storeOutputs(outputs),
      ...(context === undefined ? {} : { context }),
      ...(waitUntil === undefined ? {} : { wait_until: waitUntil }),
      ...(response === undefined ? {} : { response }),
      ...(failed === undefined ? {} : { failed }),
    });
  } catch (error) {
    throw failureOf(error);
  }
}

/**
 * Calls a node of the source that is offered to a model as a tool: its settings with what the model
 * gave in place, and one empty item. The answer is what its items say.
 */
export async function callTool(
  ports: StepPorts,
  settings: ToolSettings[string],
  given: JsonObject,
  signal: AbortSignal,
): Promise<Json> {
  const made = toolStep(settings, given);
  if (made === undefined)
    throw new EffectFailure(`No built-in step carries out tools of the type ${settings.type}.`);
  const { type, version, parameters, items } = made;
  const step = { ...settings, type, version, parameters };
  const call: FlowCall = {
    flow: { source: 'n8n', order: 'v1', name: '', steps: {} },
    step,
    instructions: null,
    inputs: [items],
    source: null,
    runIndex: 0,
    count: 0,
    kept: {},
    shape: { nodes: new Map([[step.name, parameters]]), connections: [] },
    record: new Map(),
  };
  try {
    const { outputs } = await stepRun(ports, call, builtInName(type), signal);
    return textOfItems(outputs.find((list) => list !== null && list.length > 0) ?? []);
  } catch (error) {
    throw failureOf(error);
  }
}

/** With what another workflow is called by a step, and how: an answer of its own form. */
export async function prepareCalls(
  ports: StepPorts,
  call: FlowCall,
  implementation: string,
  signal: AbortSignal,
): Promise<Json> {
  const conduct = { alwaysOutput: false, retry: null, isCalling: true } as const;
  try {
    const { outputs, calls, failed } = await stepRun(ports, call, implementation, signal, conduct);
    return plain({
      outputs: storeOutputs(outputs),
      ...(calls === undefined ? {} : { calls }),
      ...(failed === undefined ? {} : { failed }),
    });
  } catch (error) {
    throw failureOf(error);
  }
}

/** Evaluates what a step of text is asked: one text for each of its items. */
export async function readPrompt(ports: StepPorts, call: FlowCall): Promise<Json> {
  try {
    return await promptTexts(ports, call);
  } catch (error) {
    throw failureOf(error);
  }
}
