// Specs that run as item flows.
import { builtInName, type FlowStepSettings } from '../../server/contract/flow.ts';

type Loose = Record<string, unknown>;

/** A step: its settings as the source has them; `kind` and `ref` for one that is no built-in. */
export interface FlowSpecStep extends Partial<Omit<FlowStepSettings, 'type'>> {
  readonly type: string;
  readonly kind?: 'agent' | 'human' | 'function' | 'workflow';
  readonly node?: Loose;
}

/** From and to, and the output where it is not the first. */
type Wire = readonly [from: string, to: string, output?: number];

const set = (name: string, value: unknown): Loose => ({
  include: 'all',
  includeOtherFields: true,
  assignments: { assignments: [{ id: name, name, value, type: 'string' }] },
  options: {},
});

/** Edit Fields that adds one text to each item. */
export function adds(name: string, value: string): FlowSpecStep {
  return { type: 'n8n-nodes-base.set', version: 3.4, parameters: set(name, value) };
}

/** Code that sees all items at once. */
export function code(jsCode: string): FlowSpecStep {
  return { type: 'n8n-nodes-base.code', version: 2, parameters: { jsCode } };
}

function nodeOf([key, { kind = 'function', node = {} }]: [string, FlowSpecStep]) {
  return [key, { id: key, kind, ref: key, ...node }] as const;
}

function settingsOf([key, { kind: _, node: __, ...settings }]: [string, FlowSpecStep]) {
  return [key, { name: key, version: 1, parameters: {}, ...settings }] as const;
}

function edgeOf([from, to, output = 0]: Wire) {
  const condition = { type: 'metadata_equals', key: `output_${output}`, value: true };
  return output === 0 ? { from, to } : { from, to, condition };
}

/** A spec whose graph runs as an item flow from its first step. */
export function flowSpec(
  steps: Readonly<Record<string, FlowSpecStep>>,
  wires: readonly Wire[],
  more: { readonly flow?: Loose; readonly components?: Loose; readonly max_steps?: number } = {},
): Loose {
  const entries = Object.entries(steps);
  const builtIn = entries.filter(([, { kind }]) => kind === undefined);
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'graph',
      start: entries[0]?.[0],
      nodes: Object.fromEntries(entries.map(nodeOf)),
      edges: wires.map(edgeOf),
      max_steps: more.max_steps ?? 1000,
    },
    components: {
      ...more.components,
      functions: {
        ...Object.fromEntries(
          builtIn.map(([key, { type }]) => [key, { implementation: builtInName(type) }]),
        ),
        ...(more.components?.['functions'] as Loose | undefined),
      },
    },
    metadata: {
      flow: {
        source: 'n8n',
        order: 'v1',
        name: 'Test flow',
        steps: Object.fromEntries(entries.map(settingsOf)),
        ...more.flow,
      },
    },
  };
}

type FlowParts = Parameters<typeof flowSpec>;

/** The spec with further item flows as component workflows, which steps of the kind `workflow` call. */
export function calledFlowSpec(
  spec: Loose,
  called: Readonly<Record<string, readonly [FlowParts[0], FlowParts[1]]>>,
): Loose {
  const made = Object.entries(called).map(([name, [steps, wires]]) => {
    const own = Object.entries(steps).map(([key, step]) => [`${name}_${key}`, step] as const);
    const renamed = wires.map(([from, to, output = 0]): Wire => {
      return [`${name}_${from}`, `${name}_${to}`, output];
    });
    const named = own.map(([key, step]) => [key, { name: key.slice(name.length + 1), ...step }]);
    return [name, flowSpec(Object.fromEntries(named), renamed)] as const;
  });
  const part = (of: Loose, key: string) => of[key] as Loose;
  const components = part(spec, 'components');
  return {
    ...spec,
    components: {
      ...components,
      workflows: Object.fromEntries(made.map(([name, { workflow }]) => [name, workflow])),
      functions: Object.assign(
        {},
        components['functions'],
        ...made.map(([, one]) => part(part(one, 'components'), 'functions')),
      ) as Loose,
    },
    metadata: {
      ...part(spec, 'metadata'),
      flows: Object.fromEntries(made.map(([name, one]) => [name, part(one, 'metadata')['flow']])),
    },
  };
}
