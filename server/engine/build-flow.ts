import type { ZodType } from 'zod';
import { calledFlows, type FlowSettings, flowSettings } from '../contract/flow.ts';
import { createFlowShape, type FlowEdge } from '../items/flow-shape.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Condition } from '../spec/schema/spec-types.ts';
import type { FlowProgram } from './flow-run.ts';
import { own } from './own.ts';
import { BuildFailure, type ProgramEdge, type ProgramStep } from './program.ts';

const OUTPUT_KEY = /^output_(\d{1,4})$/;

/** The output that a condition names; undefined for one that asks for something else. */
function outputNamed(condition: Condition): number | undefined {
  if (condition.type !== 'metadata_equals' || condition.value !== true) return undefined;
  const [, digits] = OUTPUT_KEY.exec(condition.key ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The first output that a tree of conditions names. */
function outputWithin(condition: Condition): number | undefined {
  const own = outputNamed(condition);
  if (own !== undefined) return own;
  for (const child of condition.conditions ?? []) {
    const found = outputWithin(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The inputs that an output feeds, in their order; an output that is not listed feeds the first. */
function inputsFed(settings: FlowSettings, from: string, output: number, to: string): number[] {
  const inputs = own(settings.steps, to)?.inputs ?? [];
  return inputs.flatMap((feeders, at) =>
    feeders.some((feeder) => feeder.step === from && feeder.output === output) ? [at] : [],
  );
}

/** Says of each edge which input it feeds: several from one output to one step feed one each. */
function inputReader(settings: FlowSettings) {
  const open = new Map<string, number[]>();
  return (from: string, output: number, to: string): number => {
    const key = JSON.stringify([from, output, to]);
    const fed = open.get(key) ?? inputsFed(settings, from, output, to);
    open.set(key, fed);
    const [next = 0] = fed.length > 1 ? fed.splice(0, 1) : fed;
    return next;
  };
}

function readBy<T>(schema: ZodType<T>, metadata: JsonObject | null, key: string): T | undefined {
  const value = metadata?.[key] ?? null;
  if (value === null) return undefined;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const told = read.error.issues.map(
    ({ path, message }) => `${['metadata', key, ...path].join('.')}: ${message}`,
  );
  throw new BuildFailure('SpecCompilationError', told.join('\n'));
}

/** What `metadata` says of a workflow; null names the root. */
function settingsIn(metadata: JsonObject | null, workflow: string | null) {
  const root = readBy(flowSettings, metadata, 'flow');
  if (workflow === null) return root;
  const called = own(readBy(calledFlows, metadata, 'flows') ?? {}, workflow);
  if (called === undefined) return undefined;
  const { allowed_domains, denied_domains } = root ?? {};
  return {
    ...called,
    ...(allowed_domains === undefined ? {} : { allowed_domains }),
    ...(denied_domains === undefined ? {} : { denied_domains }),
  };
}

/**
 * The item flow of a graph (decision record 0024); undefined for one of which `metadata.flow`, or
 * `metadata.flows` for a component workflow, says nothing.
 * @throws BuildFailure when it has no known form
 */
export function buildFlow(
  metadata: JsonObject | null,
  workflow: string | null,
  steps: ReadonlyMap<string, ProgramStep>,
  edgesFrom: Readonly<Record<string, readonly ProgramEdge[]>>,
): FlowProgram | undefined {
  const settings = settingsIn(metadata, workflow);
  if (settings === undefined) return undefined;
  const conditions = new Map<FlowEdge, Condition>();
  const inputOf = inputReader(settings);
  const edges = Object.entries(edgesFrom).flatMap(([from, leaving]) =>
    leaving.map(({ to, condition }): FlowEdge => {
      const output = condition === null ? 0 : (outputWithin(condition) ?? 0);
      const edge = { from, output, to, input: inputOf(from, output, to) };
      if (condition !== null && outputNamed(condition) === undefined)
        conditions.set(edge, condition);
      return edge;
    }),
  );
  const nodes = [...steps.keys()].map((key) => {
    const step = own(settings.steps, key);
    return {
      key,
      name: step?.name ?? key,
      type: step?.type ?? '',
      version: step?.version ?? 1,
      parameters: step?.parameters ?? {},
      disabled: step?.disabled === true,
      alwaysOutput: step?.always_output === true,
      ...(step?.inside === undefined ? {} : { inside: step.inside }),
    };
  });
  return { settings, shape: createFlowShape(settings.order, nodes, edges), conditions };
}
