// What the real engine did with small workflows, and our handlers given the same inputs.
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Evaluator, Services } from '../../server/expressions/port/evaluator.ts';
import { answerOf, type HandlerNode, StepFailure } from '../../server/handlers/handler.ts';
import { N8N_HANDLERS } from '../../server/handlers/n8n/handlers.ts';
import type { Position } from '../../server/items/flow-shape.ts';
import type { Item, JsonObject, Outputs } from '../../server/items/item.ts';
import { createReader } from '../../server/items/reader.ts';
import type {
  Connection,
  NodeRun,
  RunSource,
  WorkflowShape,
} from '../../server/items/run-record.ts';

const FOLDER = new URL('../fixtures/n8n-runs/', import.meta.url);
/** The zone of workflows without one of their own, while the cases were recorded. */
const ZONE = 'America/New_York';

interface SourceNode {
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
  readonly disabled?: boolean;
}

export interface RecordedRun {
  readonly node: string;
  readonly run: number;
  readonly status: string;
  readonly source: readonly (RunSource | null)[];
  readonly outputs?: { readonly main?: Outputs } | null;
}

export interface RecordedCase {
  readonly id: string;
  readonly mode: string;
  /** Name of the node that began the run. */
  readonly trigger?: string;
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
  readonly result: { readonly runs?: readonly RecordedRun[] };
  readonly masked: readonly string[];
}

/** One run of a step that a handler of ours can do. */
export interface RecordedStep {
  readonly of: RecordedCase;
  readonly at: number;
  readonly node: SourceNode;
  readonly run: RecordedRun;
}

export function recordedCases(): RecordedCase[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      ...(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as RecordedCase),
      id: file.replace('.json', ''),
    }));
}

/** The runs of a case that one of our handlers is for. */
export function stepsOf(of: RecordedCase): RecordedStep[] {
  return (of.result.runs ?? []).flatMap((run, at) => {
    const node = of.workflow.nodes.find(({ name }) => name === run.node);
    if (node === undefined || node.disabled === true) return [];
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
  const parameters = of.workflow.nodes.map(({ name, parameters }) => [name, parameters] as const);
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

/** What our handler gives for a recorded run of a step; the failure in words when it failed. */
export async function replay(
  step: RecordedStep,
  evaluator: Evaluator,
  services: Services,
): Promise<Outputs | { readonly failed: string }> {
  const { of, node, run } = step;
  const record = recordBefore(step);
  const inputs = run.source.map((source): readonly Item[] | null =>
    source === null
      ? null
      : (record.get(source.node)?.[source.run]?.outputs[source.output] ?? null),
  );
  const [source = null] = run.source;
  const handler = N8N_HANDLERS[node.type]!;
  const items = (node.executeOnce ? inputs[0]?.slice(0, 1) : inputs[0]) ?? [];
  try {
    const given = await handler({
      node: {
        name: node.name,
        type: node.type,
        version: node.typeVersion,
        parameters: node.parameters,
        onError: onErrorOf(node),
        executeOnce: node.executeOnce === true,
      },
      kept: {},
      inputs,
      step: {
        session: of.id,
        facts: {
          now: Date.UTC(2026, 0, 31, 12),
          zone: of.workflow.settings?.timezone ?? ZONE,
          seed: 1,
          node: {
            id: node.id ?? '',
            name: node.name,
            type: node.type,
            version: node.typeVersion,
            parameters: node.parameters,
          },
          workflow: { id: 'workflow', name: of.workflow.name, active: of.mode !== 'manual' },
          execution: {
            id: '1',
            mode: of.mode,
            resumeUrl: 'http://127.0.0.1/resume/1',
            resumeFormUrl: 'http://127.0.0.1/form/1',
          },
          prevNode:
            source === null
              ? null
              : { name: source.node, outputIndex: source.output, runIndex: source.run },
          runIndex: run.run,
          vars: {},
          extras: {},
        },
        reader: createReader({
          shape: shapeOf(of),
          record,
          node: node.name,
          source,
          itemCount: items.length,
        }),
      },
      evaluator,
      services,
    });
    return answerOf(given).outputs;
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

function unmasked(outputs: unknown[][], { of, at }: RecordedStep): unknown[][] {
  const start = `/runs/${at}/outputs/main/`;
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

/** Undefined when ours is what was recorded, else how it differs. */
export function difference(
  step: RecordedStep,
  ours: Outputs | { readonly failed: string },
): string | undefined {
  const recorded = step.run.outputs?.main;
  if ('failed' in ours) return recorded === undefined ? undefined : `ours failed: ${ours.failed}`;
  if (recorded === undefined) return 'the recorded run failed, ours did not';
  const length = Math.max(recorded.length, ours.length);
  const expected = unmasked(jsonsOf(recorded, length), step);
  const actual = unmasked(jsonsOf(ours, length), step);
  if (isDeepStrictEqual(actual, expected)) return undefined;
  return `${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`;
}
