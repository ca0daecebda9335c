// One time that a built-in step runs, by itself.
import type { Evaluator } from '../../server/expressions/port/evaluator.ts';
import type { HandlerCall, HandlerNode, StepAnswer } from '../../server/handlers/handler.ts';
import { N8N_HANDLERS } from '../../server/handlers/n8n/handlers.ts';
import type { HandlerPorts } from '../../server/handlers/ports.ts';
import { runStep, type StepRun } from '../../server/handlers/run-step.ts';
import type { StepFacts } from '../../server/items/facts.ts';
import type { Item, JsonObject } from '../../server/items/item.ts';
import { createReader } from '../../server/items/reader.ts';
import type { NodeRun, RunSource } from '../../server/items/run-record.ts';
import { n8nPorts } from './n8n-ports.ts';

interface HandlerTry extends Partial<Omit<HandlerNode, 'type' | 'name'>> {
  /** Without its package. */
  readonly type: string;
  /** The fields of the items of the first input, or all inputs. */
  readonly given?: readonly JsonObject[];
  readonly inputs?: readonly (readonly Item[] | null)[];
  readonly kept?: JsonObject;
  readonly source?: RunSource;
  readonly record?: ReadonlyMap<string, readonly NodeRun[]>;
  readonly facts?: Partial<StepFacts>;
  readonly ports?: Partial<HandlerPorts>;
  readonly isCalling?: true;
}

/** What the handler of a type gives. The clock is at noon of 31 January 2026, the zone New York. */
export async function callHandler(evaluator: Evaluator, of: HandlerTry): Promise<StepRun> {
  const type = Object.keys(N8N_HANDLERS).find((one) => one.endsWith(`.${of.type}`)) ?? of.type;
  const node: HandlerNode = {
    name: 'Step',
    type,
    version: of.version ?? 1,
    parameters: of.parameters ?? {},
    onError: of.onError ?? 'stop',
    executeOnce: of.executeOnce ?? false,
    ...(of.credentials === undefined ? {} : { credentials: of.credentials }),
  };
  const inputs = of.inputs ?? [(of.given ?? []).map((json) => ({ json }))];
  const record = of.record ?? new Map<string, readonly NodeRun[]>();
  const names = [...record.keys(), node.name];
  const { source = null } = of;
  const call: HandlerCall = {
    node,
    kept: of.kept ?? {},
    inputs,
    step: {
      session: 'try',
      facts: {
        now: Date.UTC(2026, 0, 31, 17),
        zone: 'America/New_York',
        seed: 1,
        node: { ...node, id: 'step' },
        workflow: { id: 'workflow', name: 'Try', active: true },
        execution: {
          id: '1',
          mode: 'manual',
          resumeUrl: 'http://x/1',
          resumeFormUrl: 'http://x/2',
        },
        prevNode:
          source === null
            ? null
            : { name: source.node, outputIndex: source.output, runIndex: source.run },
        runIndex: 0,
        vars: {},
        extras: {},
        ...of.facts,
      },
      reader: createReader({
        shape: { nodes: new Map(names.map((name) => [name, {}])), connections: [] },
        record,
        node: node.name,
        source,
        itemCount: inputs[0]?.length ?? 0,
      }),
    },
    ...{ evaluator, services: {}, ...n8nPorts(), ...of.ports },
    ...(of.isCalling === undefined ? {} : { isCalling: of.isCalling }),
  };
  const plain = { alwaysOutput: false, retry: null };
  return runStep(N8N_HANDLERS[type]!, call, plain, async () => {});
}

/** The fields of a step's items, by output. */
export function fieldsOf({ outputs }: StepAnswer): (JsonObject[] | null)[] {
  return outputs.map((items) => items?.map(({ json }) => json) ?? null);
}

/** What a step of a type gives on its first output: the fields of its items. */
export function givesOf(evaluator: Evaluator) {
  return async (
    type: string,
    parameters: JsonObject,
    given: readonly JsonObject[],
    version = 1,
  ): Promise<JsonObject[]> => {
    const [first] = fieldsOf(await callHandler(evaluator, { type, version, parameters, given }));
    return first ?? [];
  };
}
