// What the real engine did with small workflows, and our handlers given the same inputs.
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Evaluator, Services } from '../../server/expressions/port/evaluator.ts';
import { type HandlerCall, type HandlerNode, StepFailure } from '../../server/handlers/handler.ts';
import { N8N_HANDLERS } from '../../server/handlers/n8n/handlers.ts';
import type { HandlerPorts } from '../../server/handlers/ports.ts';
import { runStep } from '../../server/handlers/run-step.ts';
import type { Position } from '../../server/items/flow-shape.ts';
import type { Item, JsonObject, Outputs } from '../../server/items/item.ts';
import { notedIn } from '../../server/items/noted.ts';
import { createReader } from '../../server/items/reader.ts';
import type {
  Connection,
  NodeRun,
  RunSource,
  WorkflowShape,
} from '../../server/items/run-record.ts';
import { shownParameters } from '../../server/items/shown-parameters.ts';

const FOLDER = new URL('../fixtures/n8n-runs/', import.meta.url);
/** The zone of workflows without one of their own, while the cases were recorded. */
const ZONE = 'America/New_York';

export interface SourceNode {
  readonly id?: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: Position;
  readonly parameters: JsonObject;
  readonly onError?: string;
  readonly continueOnFail?: boolean;
  readonly executeOnce?: boolean;
  readonly alwaysOutputData?: boolean;
  readonly retryOnFail?: boolean;
  readonly maxTries?: number;
  readonly waitBetweenTries?: number;
  readonly disabled?: boolean;
}

export interface RecordedRun {
  readonly node: string;
  readonly run: number;
  readonly status: string;
  readonly source: readonly (RunSource | null)[];
  readonly outputs?: { readonly main?: Outputs } | null;
}

interface RecordedResult {
  readonly status: string;
  readonly runs: readonly RecordedRun[];
}

export interface RecordedCase {
  readonly id: string;
  readonly mode: string;
  /** Name of the node that began the run, and what it was to give. */
  readonly trigger?: string;
  readonly input?: unknown;
  readonly workflow: {
    readonly name: string;
    readonly nodes: readonly SourceNode[];
    readonly connections: Record<
      string,
      { main?: readonly (readonly { node: string; index: number }[] | null)[] }
    >;
    readonly settings?: { readonly timezone?: string; readonly executionOrder?: string };
    readonly pinData?: Record<string, unknown>;
  };
  /** Workflows that `{{child:i}}` in a parameter stands for. */
  readonly children?: readonly JsonObject[];
  readonly result: Partial<RecordedResult> & { readonly executions?: readonly RecordedResult[] };
  readonly masked: readonly string[];
}

/** One run of a step that a handler of ours can do. */
export interface RecordedStep {
  readonly of: RecordedCase;
  readonly at: number;
  readonly node: SourceNode;
  readonly run: RecordedRun;
}

/** Where the server stood that the recorded workflows asked. */
const RECORDED_PEER = '127.0.0.1:5990';

/** @param peer Host and port of the one that stands for the server that was asked. */
export function recordedCases(peer = RECORDED_PEER): RecordedCase[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      ...(JSON.parse(
        readFileSync(new URL(file, FOLDER), 'utf8').replaceAll(RECORDED_PEER, peer),
      ) as RecordedCase),
      id: file.replace('.json', ''),
    }));
}

/** Keeps what its next run needs, so it is run with its whole workflow only. */
const LOOP = 'n8n-nodes-base.splitInBatches';
/** Calls another workflow, which the engine does (`server/engine/called-flows.test.ts`). */
export const CALLING = 'n8n-nodes-base.executeWorkflow';

/** The runs of a case that one of our handlers is for. */
export function stepsOf(of: RecordedCase): RecordedStep[] {
  return (of.result.runs ?? []).flatMap((run, at) => {
    const node = of.workflow.nodes.find(({ name }) => name === run.node);
    if (node === undefined || node.disabled === true) return [];
    if (node.type === LOOP || node.type === CALLING) return [];
    if (of.workflow.pinData?.[node.name] !== undefined) return [];
    return node.type in N8N_HANDLERS ? [{ of, at, node, run }] : [];
  });
}

/** As they stand in the export. */
export function connectionsOf({ workflow }: RecordedCase): Connection[] {
  return Object.entries(workflow.connections).flatMap(([from, { main = [] }]) =>
    main.flatMap((list, output) =>
      (list ?? []).map(({ node, index }): Connection => {
        return { from, output, to: node, input: index };
      }),
    ),
  );
}

function shapeOf(of: RecordedCase): WorkflowShape {
  const parameters = of.workflow.nodes.map(({ name, type, typeVersion: version, parameters }) => {
    return [name, shownParameters({ type, version, parameters })] as const;
  });
  return { nodes: new Map(parameters), connections: connectionsOf(of) };
}

function recordBefore({ of, at }: RecordedStep): Map<string, NodeRun[]> {
  const record = new Map<string, NodeRun[]>();
  for (const { node, source, outputs } of (of.result.runs ?? []).slice(0, at)) {
    const runs = record.get(node) ?? [];
    runs.push({ sources: source, outputs: outputs?.main ?? [] });
    record.set(node, runs);
  }
  return record;
}

function onErrorOf({ onError, continueOnFail }: SourceNode): HandlerNode['onError'] {
  if (onError === 'continueErrorOutput') return 'error_output';
  return onError === 'continueRegularOutput' || continueOnFail === true ? 'regular_output' : 'stop';
}

/** One time that a node runs, as far as the call of its handler depends on it. */
export interface CallOf {
  readonly of: RecordedCase;
  readonly node: SourceNode;
  readonly record: ReadonlyMap<string, readonly NodeRun[]>;
  readonly source: readonly (RunSource | null)[];
  readonly inputs: HandlerCall['inputs'];
  readonly run: number;
}

export interface Means extends HandlerPorts {
  readonly evaluator: Evaluator;
  readonly services: Services;
}

export function callOf({ of, node, record, source, inputs, run }: CallOf, means: Means) {
  const [first = null] = source;
  const items = (node.executeOnce ? inputs[0]?.slice(0, 1) : inputs[0]) ?? [];
  const { name, type, typeVersion: version, parameters } = node;
  const call: HandlerCall = {
    node: {
      name,
      type,
      version,
      parameters,
      onError: onErrorOf(node),
      executeOnce: node.executeOnce === true,
    },
    kept: record.get(name)?.at(-1)?.context ?? {},
    inputs,
    step: {
      session: of.id,
      facts: {
        now: Date.UTC(2026, 0, 31, 12),
        zone: of.workflow.settings?.timezone ?? ZONE,
        seed: 1,
        node: { id: node.id ?? '', name, type, version, parameters },
        workflow: { id: 'workflow', name: of.workflow.name, active: of.mode !== 'manual' },
        execution: {
          id: '1',
          mode: of.mode,
          resumeUrl: 'http://127.0.0.1/resume/1',
          resumeFormUrl: 'http://127.0.0.1/form/1',
          noted: notedIn(record),
        },
        prevNode:
          first === null
            ? null
            : { name: first.node, outputIndex: first.output, runIndex: first.run },
        runIndex: run,
        vars: {},
        extras: {},
      },
      reader: createReader({
        shape: shapeOf(of),
        record,
        node: name,
        source: first,
        itemCount: items.length,
      }),
    },
    ...means,
  };
  return call;
}

/** Items that a source of a run gave. */
export function itemsFrom(
  record: ReadonlyMap<string, readonly NodeRun[]>,
  source: RunSource | null,
): readonly Item[] | null {
  if (source === null) return null;
  return record.get(source.node)?.[source.run]?.outputs[source.output] ?? null;
}

/** What our handler gives for a recorded run of a step; the failure in words when it failed. */
export async function replay(
  step: RecordedStep,
  means: Means,
): Promise<Outputs | { readonly failed: string }> {
  const { of, node, run } = step;
  const record = recordBefore(step);
  const inputs = run.source.map((source) => itemsFrom(record, source));
  try {
    const call = callOf({ of, node, record, source: run.source, inputs, run: run.run }, means);
    const retry = node.retryOnFail === true ? { tries: node.maxTries ?? 3, waitMs: 0 } : null;
    const plain = { disabled: false, pinned: null, alwaysOutput: false, retry };
    return (await runStep(N8N_HANDLERS[node.type]!, call, plain, async () => {})).outputs;
  } catch (error) {
    if (error instanceof StepFailure) return { failed: error.message };
    throw error;
  }
}

function jsonsOf(outputs: Outputs | undefined, length: number): unknown[][] {
  return Array.from({ length }, (_, at) =>
    (outputs?.[at] ?? []).map(({ json }) => JSON.parse(JSON.stringify(json)) as unknown),
  );
}

/** @param start Where the outputs stand in the case's result. */
function unmasked(outputs: unknown[][], of: RecordedCase, start: string): unknown[][] {
  for (const pointer of of.masked) {
    if (!pointer.startsWith(start)) continue;
    const [output = '', item = '', json, ...path] = pointer.slice(start.length).split('/');
    const last = path.pop();
    let holder: unknown = json === 'json' ? outputs[Number(output)]?.[Number(item)] : undefined;
    for (const key of path) holder = (holder as JsonObject | undefined)?.[key];
    if (last !== undefined && typeof holder === 'object' && holder !== null)
      delete (holder as JsonObject)[last];
  }
  return outputs;
}

/** Undefined when ours are the recorded outputs, else how they differ. */
export function outputsDiffer(
  ours: Outputs,
  recorded: Outputs,
  of: RecordedCase,
  start: string,
): string | undefined {
  const length = Math.max(recorded.length, ours.length);
  const expected = unmasked(jsonsOf(recorded, length), of, start);
  const actual = unmasked(jsonsOf(ours, length), of, start);
  if (isDeepStrictEqual(actual, expected)) return undefined;
  return `${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`;
}

/** Undefined when ours is what was recorded, else how it differs. */
export function difference(
  step: RecordedStep,
  ours: Outputs | { readonly failed: string },
): string | undefined {
  const recorded = step.run.outputs?.main;
  if ('failed' in ours) return recorded === undefined ? undefined : `ours failed: ${ours.failed}`;
  if (recorded === undefined) return 'the recorded run failed, ours did not';
  return outputsDiffer(ours, recorded, step.of, `/runs/${step.at}/outputs/main/`);
}
