// Whole recorded workflows: as the scheduler sees them, and run by our handlers.
import { StepFailure } from '../../server/handlers/handler.ts';
import { N8N_HANDLERS } from '../../server/handlers/n8n/handlers.ts';
import { runStep, type StepConduct, type StepRun } from '../../server/handlers/run-step.ts';
import { beginFlow, nextArrival, stepEnded } from '../../server/items/flow.ts';
import {
  createFlowShape,
  type FlowNode,
  type FlowShape,
  orderEdges,
} from '../../server/items/flow-shape.ts';
import type { Arrival } from '../../server/items/flow-state.ts';
import { givenWithoutRunning } from '../../server/items/given-step.ts';
import type { Item, JsonObject, Outputs } from '../../server/items/item.ts';
import type { NodeRun } from '../../server/items/run-record.ts';
import {
  callOf,
  connectionsOf,
  itemsFrom,
  type Means,
  outputsDiffer,
  type RecordedCase,
  type RecordedRun,
  type SourceNode,
} from './n8n-runs.ts';

/** Steps have the names of the source's nodes as their keys. */
export function flowOf(of: RecordedCase): FlowShape {
  const { nodes, settings } = of.workflow;
  const order = settings?.executionOrder === 'v1' ? 'v1' : 'v0';
  const positions = new Map(nodes.map(({ name, position }) => [name, position]));
  const steps = nodes.map(
    (node): FlowNode => ({
      key: node.name,
      name: node.name,
      type: node.type,
      version: node.typeVersion,
      parameters: node.parameters,
      disabled: node.disabled === true,
      alwaysOutput: node.alwaysOutputData === true,
    }),
  );
  return createFlowShape(order, steps, orderEdges(positions, connectionsOf(of), order));
}

/** One execution of a recorded case: of a webhook there may be several. */
export interface RecordedFlow {
  readonly id: string;
  readonly of: RecordedCase;
  /** Where its runs stand in the case's result. */
  readonly start: string;
  readonly status: string;
  readonly runs: readonly RecordedRun[];
}

export function flowsOf(of: RecordedCase): RecordedFlow[] {
  const { result } = of;
  if (result.executions === undefined) {
    const { status = '', runs = [] } = result;
    return [{ id: of.id, of, start: '/runs/', status, runs }];
  }
  return result.executions.map(({ status, runs }, at) => ({
    id: `${of.id}#${at}`,
    of,
    start: `/executions/${at}/runs/`,
    status,
    runs,
  }));
}

interface OurRun {
  readonly node: string;
  readonly run: number;
  /** Null when the step failed and ended the flow. */
  readonly outputs: Outputs | null;
  readonly failed: boolean;
}

export interface OurFlow {
  readonly status: 'success' | 'error';
  readonly runs: readonly OurRun[];
}

/** A flow came to a node that has no handler yet. */
export class NoHandler extends Error {
  override readonly name = 'NoHandler';
}

function itemsOfPin(pin: unknown): Item[] {
  return (pin as JsonObject[]).map((one) =>
    'json' in one ? (one as unknown as Item) : { json: one },
  );
}

/** Whether a step runs at all. */
function standingOf(node: SourceNode, of: RecordedCase) {
  const pin = of.mode === 'manual' ? of.workflow.pinData?.[node.name] : undefined;
  const pinned = pin === undefined ? null : itemsOfPin(pin);
  return { disabled: node.disabled === true, pinned };
}

function conductOf(node: SourceNode): StepConduct {
  return {
    alwaysOutput: node.alwaysOutputData === true,
    retry: node.retryOnFail ? { tries: node.maxTries ?? 3, waitMs: 0 } : null,
  };
}

class Execution {
  readonly runs: OurRun[] = [];
  readonly #record = new Map<string, NodeRun[]>();
  readonly #flow: RecordedFlow;
  readonly #means: Means;

  constructor(flow: RecordedFlow, means: Means) {
    this.#flow = flow;
    this.#means = means;
  }

  /** What a step gives; undefined when it ends the flow. */
  async step(arrival: Arrival): Promise<{ run: number; outputs: Outputs } | undefined> {
    const { step: node } = arrival;
    const run = this.#record.get(node)?.length ?? 0;
    const sources = arrival.sources.map(
      (from) => from && { node: from.step, output: from.output, run: from.run },
    );
    try {
      const { outputs, context, failed } = await this.#given(arrival, sources, run);
      const made = { sources, outputs, ...(context === undefined ? {} : { context }) };
      this.#record.set(node, [...(this.#record.get(node) ?? []), made]);
      this.runs.push({ node, run, outputs, failed: failed !== undefined });
      return { run, outputs };
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      this.runs.push({ node, run, outputs: null, failed: true });
      return undefined;
    }
  }

  async #given(arrival: Arrival, source: NodeRun['sources'], run: number): Promise<StepRun> {
    const { of, runs } = this.#flow;
    if (source.length === 0) return { outputs: runs[0]?.outputs?.main ?? [] };
    const node = of.workflow.nodes.find(({ name }) => name === arrival.step)!;
    const inputs =
      arrival.forced === true
        ? [[{ json: {} }]]
        : source.map((from) => itemsFrom(this.#record, from));
    const given = givenWithoutRunning(inputs, standingOf(node, of));
    if (given !== undefined) return { outputs: given };
    const handler = N8N_HANDLERS[node.type];
    if (handler === undefined) throw new NoHandler(node.type);
    const call = callOf({ of, node, record: this.#record, source, inputs, run }, this.#means);
    return runStep(handler, call, conductOf(node), async () => {});
  }
}

/** Runs a recorded workflow with the items that its trigger gave. @throws NoHandler */
export async function runFlow(flow: RecordedFlow, means: Means): Promise<OurFlow> {
  const shape = flowOf(flow.of);
  const execution = new Execution(flow, means);
  const begun = beginFlow(flow.runs[0]?.node ?? '');
  let { state } = begun;
  for (let next: Arrival | undefined = begun.next; next !== undefined; ) {
    const given = await execution.step(next);
    if (given === undefined) break;
    const counts = given.outputs.map((items) => items?.length ?? null);
    const taken = nextArrival(shape, stepEnded(shape, state, next, given.run, counts));
    next = taken?.next;
    state = taken?.state ?? state;
  }
  const { runs } = execution;
  return { status: runs.at(-1)?.failed === true ? 'error' : 'success', runs };
}

const line = (runs: readonly { node: string; run: number }[]) =>
  runs.map(({ node, run }) => `${node}/${run}`).join(' ');

/** Where a run differs first, and how. */
export interface FlowDifference {
  readonly node: string;
  readonly why: string;
}

/** Undefined when our run is the recorded one, else how it differs first. */
export function flowDiffers(flow: RecordedFlow, ours: OurFlow): FlowDifference | undefined {
  for (const [at, recorded] of flow.runs.entries()) {
    const made = ours.runs[at];
    const where = `${recorded.node}/${recorded.run}`;
    const differs = (why: string): FlowDifference => ({ node: recorded.node, why });
    if (made?.node !== recorded.node || made.run !== recorded.run)
      return differs(`the order is ${line(ours.runs)}, recorded ${line(flow.runs)}`);
    const main = recorded.outputs?.main;
    if (main === undefined || made.outputs === null) {
      if (main === undefined && made.outputs === null) continue;
      return differs(`${where} ${made.outputs === null ? 'fails' : 'does not fail'}`);
    }
    const start = `${flow.start}${at}/outputs/main/`;
    const told = outputsDiffer(made.outputs, main, flow.of, start);
    if (told !== undefined) return differs(`${where}: ${told}`);
  }
  const node = ours.runs[flow.runs.length]?.node ?? ours.runs.at(-1)?.node ?? '';
  if (ours.runs.length > flow.runs.length)
    return { node, why: `the order is ${line(ours.runs)}, recorded ${line(flow.runs)}` };
  return ours.status === flow.status
    ? undefined
    : { node, why: `${ours.status} is not ${flow.status}` };
}
