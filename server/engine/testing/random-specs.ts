import fc from 'fast-check';
import type { Json, JsonObject } from '../../kernel/json.ts';
import type { BlockName, FieldHelp } from '../../spec/schema/field-help.ts';
import { BLOCKS } from '../../spec/schema/help.ts';

/** The names that a random spec declares; every field that refers to something picks one of them. */
const NAMES = {
  agents: ['a', 'b'],
  functions: ['f', 'g'],
  humans: ['h'],
  workflows: ['inner'],
  tools: ['web_search', 't'],
  skills: [],
  mcp_servers: ['box'],
} as const;

const REFERRED: Readonly<Record<string, readonly string[]>> = {
  ...NAMES,
  functions_or_agents: [...NAMES.functions, ...NAMES.agents],
  step: [],
  step_id: ['s0', 's1', ''],
};

/** Blocks that are made by hand below, since their parts must fit one another. */
const OWN: Partial<Record<BlockName, () => fc.Arbitrary<Json>>> = {
  workflow: () => fc.constant(null),
  condition: () => conditions,
  step: () => steps(['agent', 'function']),
  // Of all providers this one has an address of its own; a test calls nobody.
  model: () =>
    partsOf('model').map((made): Json => {
      return made['provider'] === 'ollama' ? { ...made, provider: 'dummy' } : made;
    }),
  memory: () => mended(partsOf('memory'), ({ policy = 'full', ...rest }) => ({ policy, ...rest })),
  guardrail: () =>
    mended(partsOf('guardrail'), ({ ref: _, type: __, action: ___, ...rest }) => ({
      ...rest,
      id: 'check',
      type: 'keyword',
      config: { keywords: ['stop'] },
    })),
  human: () => mended(partsOf('human'), ({ default_option: _, request_type: __, ...rest }) => rest),
  tool: () =>
    mended(partsOf('tool'), ({ implementation: _, mcp: __, ...rest }) => ({ ...rest, agent: 'b' })),
  mcp_server: () => mended(partsOf('mcp_server'), (made) => ({ ...made, ...ADDRESSES })),
};

const ADDRESSES = { command: 'box', url: 'http://box.example', sse_url: 'http://box.example' };

/** Mostly brought into order, so that enough specs are sound as a whole. */
function mended(
  made: fc.Arbitrary<JsonObject>,
  mend: (value: JsonObject) => JsonObject,
): fc.Arbitrary<Json> {
  return fc.tuple(made, fc.nat(9)).map(([value, chance]) => (chance === 0 ? value : mend(value)));
}

/** Values at the borders: empty, odd, or of a kind that only some readers take. */
const TEXTS = ['', ' ', 'x', 'search it', 'stop', 'näh'];
const NUMBERS: Json[] = [1, 2, 3, 4, 5, 6, 7, 8, '2', true, 0, -1, 1.5];

function scalarOf(field: FieldHelp): fc.Arbitrary<Json> {
  if (field.refers !== undefined) {
    const names = REFERRED[field.refers] ?? [];
    return fc.constantFrom<Json[]>(...(names.length === 0 ? [''] : names));
  }
  if (field.values !== undefined) return fc.constantFrom<Json[]>(...field.values);
  switch (field.type) {
    case 'text':
      return fc.constantFrom<Json[]>(...TEXTS);
    case 'integer':
    case 'number':
      return fc.constantFrom<Json[]>(...NUMBERS);
    case 'boolean':
      return fc.constantFrom<Json[]>(true, false, 'yes', 0);
    case 'object':
      return fc.constantFrom<Json[]>({}, { note: 1 });
    case 'any':
      return fc.constantFrom<Json[]>('x', 1, true, [], {});
  }
}

function madeFor(field: FieldHelp): fc.Arbitrary<Json> {
  const one = field.block === undefined ? scalarOf(field) : blockOf(field.block);
  const held =
    field.holds === 'list'
      ? fc.array(one, { maxLength: 2 })
      : field.holds === 'map'
        ? fc.dictionary(fc.constantFrom('k', 'l'), one, { maxKeys: 2 })
        : one;
  return field.nullable === true
    ? fc.oneof({ weight: 6, arbitrary: held }, fc.constant(null))
    : held;
}

function blockOf(name: BlockName): fc.Arbitrary<Json> {
  return OWN[name]?.() ?? partsOf(name);
}

/** Some of the fields of a block, the required ones always. */
function partsOf(name: BlockName): fc.Arbitrary<JsonObject> {
  const fields = Object.entries(BLOCKS[name].fields);
  return fc
    .tuple(
      ...fields.map(([key, field]) => {
        const value = madeFor(field).map((made): [string, Json][] => [[key, made]]);
        const absent = fc.constant<[string, Json][]>([]);
        return field.required === true ? value : fc.oneof({ weight: 4, arbitrary: absent }, value);
      }),
    )
    .map((entries): JsonObject => Object.fromEntries(entries.flat()));
}

const { condition: conditions } = fc.letrec<{ condition: Json }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Json[]>(
      { type: 'always' },
      { type: 'output_contains', value: 'x' },
      { type: 'output_equals', value: '' },
      { type: 'status_is', value: 'failed' },
      { type: 'metadata_equals', key: 'iterations', value: 1 },
    ),
    tie('condition').map((condition): Json => ({ type: 'not', condition })),
    fc
      .array(tie('condition'), { minLength: 1, maxLength: 2 })
      .map((list): Json => ({ type: 'any_of', conditions: list })),
  ),
}));

const TARGETS: Readonly<Record<string, readonly string[]>> = {
  agent: NAMES.agents,
  guardrail: NAMES.agents,
  function: NAMES.functions,
  human: NAMES.humans,
  workflow: NAMES.workflows,
};

function steps(kinds: readonly string[]): fc.Arbitrary<Json> {
  return fc.constantFrom(...kinds).chain((kind) =>
    fc
      .record(
        {
          ref: fc.constantFrom(...(TARGETS[kind] ?? [])),
          enabled: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
          on_error: fc.constantFrom('fail', 'continue', 'retry'),
          fallback_ref: fc.constantFrom(null, '', 's0'),
          max_retries: fc.constantFrom(0, 1, '1', -1),
          timeout_seconds: fc.constantFrom(null, 0, 5),
        },
        { requiredKeys: ['ref'] },
      )
      .map((made): Json => ({ kind, ...made })),
  );
}

function withIds(list: readonly Json[]): JsonObject[] {
  return list.map((item, index) => ({ id: `s${index}`, ...(item as JsonObject) }));
}

/** A workflow of any kind with some of its fields. */
function workflows(kinds: readonly string[]): fc.Arbitrary<JsonObject> {
  const listed = fc.array(steps(kinds), { minLength: 1, maxLength: 4 }).map(withIds);
  const plain = listed.map((list) => list.map(({ fallback_ref: _, ...step }): JsonObject => step));
  const head = fc.record(
    { name: fc.constantFrom(null, '', 'flow'), description: fc.constantFrom(null, '', 'd') },
    { requiredKeys: [] },
  );
  const turns = fc.constantFrom(null, 0, 1, 3);
  const graph = fc
    .tuple(listed, fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.option(conditions))), fc.nat(5))
    .map(([list, edges, cap]): JsonObject => {
      const keys = list.map((_, index) => `s${index}`);
      const key = (at: number): string => keys[at % keys.length] ?? 's0';
      return {
        type: 'graph',
        start: 's0',
        max_steps: cap + 1,
        nodes: Object.fromEntries(list.map((step, at) => [`s${at}`, step])),
        edges: edges.map(([from, to, condition]) => ({ from: key(from), to: key(to), condition })),
      };
    });
  const kind = fc.oneof(
    listed.map((list): JsonObject => ({ type: 'sequential', steps: list })),
    plain.map((list): JsonObject => ({ type: 'concurrent', participants: list })),
    fc
      .tuple(plain, fc.constantFrom('group-chat', 'group_chat'), fc.constantFrom(1, 2, '2'), turns)
      .map(([list, type, rounds, max]): JsonObject => {
        return { type, participants: list, rounds, max_iterations: max };
      }),
    fc
      .tuple(plain, fc.array(fc.nat(3), { maxLength: 4 }), turns, fc.boolean())
      .map(([list, order, max, round]): JsonObject => {
        const sequence = order.map((at) => `s${at % list.length}`);
        const selector = { type: round ? 'round_robin' : 'sequence', sequence };
        return { type: 'handoff', participants: list, selector, max_iterations: max };
      }),
    graph,
  );
  return fc.tuple(head, kind).map(([more, made]) => ({ ...made, ...more }));
}

function agents(name: string): fc.Arbitrary<JsonObject> {
  return partsOf('agent').map(({ as_agent, skills: _, ...agent }) => {
    // Most agents have fields that one which is a workflow must not have.
    const bare = Object.keys(agent).length <= 1 && typeof as_agent === 'string';
    return bare ? { name, as_agent } : { ...agent, name };
  });
}

/** A document that uses every block of the language, mostly sound; skills are read from files and left out. */
export const randomSpecs: fc.Arbitrary<JsonObject> = fc
  .record({
    agent: agents('root'),
    workflow: fc.option(workflows(['agent', 'function', 'workflow', 'human', 'guardrail'])),
    a: agents('a'),
    b: agents('b'),
    inner: workflows(['function', 'agent']),
    h: blockOf('human'),
    t: blockOf('tool'),
    box: blockOf('mcp_server'),
    parameters: fc.constantFrom<Json[]>(
      {},
      { properties: { query: { format: 'date' } } },
      { $ref: '#/x' },
    ),
  })
  .map(({ agent, workflow, a, b, inner, h, t, box, parameters }) => ({
    version: 'v1',
    agent,
    workflow,
    components: {
      agents: { a, b },
      functions: { f: { implementation: 'fz.f' }, g: { implementation: 'fz.g' } },
      humans: { h },
      workflows: { inner },
    },
    tools: { web_search: { description: 'd', implementation: 'fz.t', parameters }, t },
    mcp_servers: { box },
  }));
