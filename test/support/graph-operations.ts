// Specs with a workflow of every kind in every style of text, and operations on their drawings.
import fc from 'fast-check';
import type { Json, JsonObject } from '../../server/kernel/json.ts';
import type { GraphOperation, StepAddress } from '../../server/spec/edit/graph/operation.ts';
import { stepsOf } from '../../server/spec/schema/elements.ts';
import type { Spec, Workflow } from '../../server/spec/schema/spec-types.ts';
import { emitInline } from '../../server/spec/yaml/emit-yaml.ts';

const NAMES = ['a', 'b.c', 'off', 'two words', 'édition', 'f[0]', "it's", '1st'] as const;
const KINDS = ['sequential', 'graph', 'concurrent', 'handoff', 'group-chat'] as const;

interface Style {
  readonly flow: boolean;
  readonly above: boolean;
  readonly beside: boolean;
}

/** A text of a spec, and the name of its file. */
export interface WrittenSpec {
  readonly text: string;
  readonly file: string;
}

const styles = fc.array(
  fc.record({ flow: fc.boolean(), above: fc.boolean(), beside: fc.boolean() }),
  { minLength: 16, maxLength: 16 },
);

function flowText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) {
    const plain = emitInline(value);
    return typeof value === 'string' && /[,[\]{}]/.test(plain) ? JSON.stringify(value) : plain;
  }
  const parts = Object.entries(value).map(([key, item]) => `${flowText(key)}: ${flowText(item)}`);
  return `{${parts.join(', ')}}`;
}

/** A mapping behind a dash or a key, in one of the styles. */
function partLines(head: string, indent: number, value: JsonObject, style: Style): string[] {
  const pad = ' '.repeat(indent);
  const beside = style.beside ? ' # beside' : '';
  const above = style.above ? [`${pad}# above`] : [];
  if (style.flow) return [...above, `${pad}${head} ${flowText(value)}${beside}`];
  const lines = Object.entries(value).map(([key, item]) => `${key}: ${flowText(item)}`);
  const inner = ' '.repeat(indent + 2);
  return head === '-'
    ? [
        ...above,
        `${pad}- ${lines[0] ?? ''}${beside}`,
        ...lines.slice(1).map((line) => inner + line),
      ]
    : [...above, `${pad}${head}${beside}`, ...lines.map((line) => inner + line)];
}

interface Shape {
  readonly kind: (typeof KINDS)[number];
  readonly steps: readonly JsonObject[];
  readonly edges: readonly JsonObject[];
  readonly turns: readonly string[];
}

function workflowLines({ kind, steps, edges, turns }: Shape, look: readonly Style[]): string[] {
  const style = (index: number): Style => look[index % look.length] ?? look[0] ?? PLAIN;
  const list = (items: readonly JsonObject[], from: number): string[] =>
    items.flatMap((item, index) => partLines('-', 4, item, style(index + from)));
  if (kind === 'graph') {
    return [
      `  start: ${flowText(steps[0]?.['id'] ?? '')}`,
      '  nodes:',
      ...steps.flatMap((step, index) =>
        partLines(`${flowText(step['id'] ?? '')}:`, 4, step, style(index)),
      ),
      ...(edges.length === 0 ? ['  edges: []'] : ['  edges:', ...list(edges, 5)]),
    ];
  }
  const field = kind === 'sequential' ? 'steps' : 'participants';
  return [
    `  ${field}:`,
    ...list(steps, 0),
    ...(kind === 'handoff'
      ? [`  selector: {type: sequence, sequence: ${flowText([...turns])}}`]
      : []),
  ];
}

const PLAIN: Style = { flow: false, above: false, beside: false };

const COMPONENTS = `components:
  # who works
  agents:
    writer: {name: writer} # writes
    reader: {name: reader}
  functions:
    stamp: {implementation: work.stamp}
  humans:
    lead: {description: Good?}
# the end
`;

function documentOf(shape: Shape): JsonObject {
  const { kind, steps, edges, turns } = shape;
  const own: JsonObject =
    kind === 'graph'
      ? {
          start: steps[0]?.['id'] ?? '',
          nodes: Object.fromEntries(steps.map((step) => [String(step['id']), step])),
          edges: [...edges],
        }
      : kind === 'sequential'
        ? { steps: [...steps] }
        : { participants: [...steps] };
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: kind,
      ...own,
      ...(kind === 'handoff' ? { selector: { type: 'sequence', sequence: [...turns] } } : {}),
    },
    components: {
      agents: { writer: { name: 'writer' }, reader: { name: 'reader' } },
      functions: { stamp: { implementation: 'work.stamp' } },
      humans: { lead: { description: 'Good?' } },
    },
  };
}

const shapes: fc.Arbitrary<Shape> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    count: fc.integer({ min: 1, max: 6 }),
    first: fc.nat(NAMES.length - 1),
    runs: fc.array(fc.constantFrom('agent', 'function', 'guardrail'), {
      minLength: 6,
      maxLength: 6,
    }),
    ends: fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.boolean()), { maxLength: 7 }),
    fallback: fc.option(fc.tuple(fc.nat(5), fc.nat(5))),
    turns: fc.array(fc.nat(5), { maxLength: 4 }),
  })
  .map(({ kind, count, first, runs, ends, fallback, turns }) => {
    const ids = Array.from({ length: count }, (_, i) => NAMES[(first + i) % NAMES.length] ?? 'a');
    const id = (index: number): string => ids[index % count] ?? 'a';
    const falls = kind === 'graph' || kind === 'sequential' ? fallback : null;
    const steps = ids.map((name, index): JsonObject => {
      const runsAs = runs[index] ?? 'agent';
      const own = falls !== null && falls[0] % count === index && id(falls[1]) !== name;
      return {
        id: name,
        kind: runsAs,
        ref: runsAs === 'function' ? 'stamp' : index % 2 === 0 ? 'writer' : 'reader',
        ...(own && falls !== null ? { on_error: 'fallback', fallback_ref: id(falls[1]) } : {}),
      };
    });
    const edges = ends.map(
      ([from, to, asks]): JsonObject => ({
        from: id(from),
        to: id(to),
        ...(asks ? { condition: { type: 'output_contains', value: 'x, y' } } : {}),
      }),
    );
    return { kind, steps, edges: kind === 'graph' ? edges : [], turns: turns.map(id) };
  });

/** Texts of specs: block and flow style, comments, both kinds of line break, JSON. */
export const writtenSpecs: fc.Arbitrary<WrittenSpec> = fc
  .record({ shape: shapes, look: styles, crlf: fc.boolean(), json: fc.nat(4) })
  .map(({ shape, look, crlf, json }) => {
    if (json === 0)
      return { text: `${JSON.stringify(documentOf(shape), null, 2)}\n`, file: 'a.json' };
    const lines = [
      'version: v1 # of the language',
      'agent: {name: desk}',
      'workflow: # the work',
      `  type: ${shape.kind}`,
      ...workflowLines(shape, look),
    ];
    const text = `${lines.join('\n')}\n${COMPONENTS}`;
    return { text: crlf ? text.replaceAll('\n', '\r\n') : text, file: 'a.yaml' };
  });

const OPERATIONS = [
  'add_step',
  'add_after',
  'add_on',
  'connect',
  'retarget',
  'set_condition',
  'delete_line',
  'set_fallback',
  'delete_step',
  'move_step',
  'rename_step',
  'wrap',
] as const;

interface Draw {
  readonly op: (typeof OPERATIONS)[number];
  readonly one: number;
  readonly two: number;
  readonly yes: boolean;
}

const CONDITION = { type: 'output_equals', value: 'again: #1' } as const;

function operationOf(workflow: Workflow, { op, one, two, yes }: Draw): GraphOperation {
  const steps = stepsOf(workflow, '').map(
    ({ key }, index): StepAddress => ({
      workflow: null,
      step: workflow.type === 'graph' ? key : index,
    }),
  );
  const at = (index: number): StepAddress =>
    steps[index % steps.length] ?? { workflow: null, step: 0 };
  const edges = workflow.type === 'graph' ? workflow.edges.length : 0;
  const edge = edges === 0 ? 0 : one % edges;
  const line = { workflow: null, edge };
  const condition = yes ? CONDITION : null;
  const added = {
    op: 'add_step',
    workflow: null,
    id: 'new one',
    kind: 'agent',
    ref: yes ? 'fresh' : 'reader',
    declare: yes,
  } as const;
  switch (op) {
    case 'add_step':
      return workflow.type === 'graph'
        ? { ...added, place: { in: 'graph' } }
        : { ...added, place: { in: 'list', index: one % (steps.length + 1) } };
    case 'add_after':
      return { ...added, place: { in: 'graph', after: String(at(one).step) } };
    case 'add_on':
      return { ...added, place: { in: 'graph', on: edge } };
    case 'connect':
      return { op, from: at(one), to: at(two), condition };
    case 'retarget':
      return { op, line, end: yes ? 'from' : 'to', to: at(two) };
    case 'set_condition':
      return { op, line, condition, label: yes ? 'again, or not' : null };
    case 'delete_line':
    case 'set_fallback':
      return { op, line };
    case 'delete_step':
      return { op, at: at(one) };
    case 'move_step':
      return { op, at: at(one), by: yes ? 1 : -1 };
    case 'rename_step':
      return { op, at: at(one), name: 'new one' };
    case 'wrap': {
      const most = Math.max(1, two % (steps.length + 1));
      return { op, steps: steps.slice(0, most), name: 'inner', loop: yes ? LOOP : null };
    }
  }
}

const LOOP = { condition: CONDITION, rounds: 3 };

/** A way to draw an operation that is about the steps and edges of any spec. */
export const operations: fc.Arbitrary<(spec: Spec) => GraphOperation | undefined> = fc
  .record({
    op: fc.constantFrom(...OPERATIONS),
    one: fc.nat(7),
    two: fc.nat(7),
    yes: fc.boolean(),
  })
  .map(
    (draw) =>
      ({ workflow }) =>
        workflow === null ? undefined : operationOf(workflow, draw),
  );
