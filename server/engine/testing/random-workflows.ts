// Random workflows of every kind.
import fc from 'fast-check';
import type { JsonObject } from '../../kernel/json.ts';
import { loadSpec } from '../../spec/load/load-spec.ts';
import { buildProgram } from '../build-program.ts';
import type { Program } from '../program.ts';

const FUNCTIONS = ['echo', 'broken', 'sometimes'];
const AGENTS = ['plain', 'tooled', 'planner', 'guarded', 'team'];

function stepOf(id: string, nested: boolean, top: boolean) {
  const kinds = [
    fc.record({ kind: fc.constant('agent'), ref: fc.constantFrom(...AGENTS) }),
    fc.record({ kind: fc.constant('function'), ref: fc.constantFrom(...FUNCTIONS) }),
    ...(nested ? [fc.constant({ kind: 'workflow', ref: 'inner' })] : []),
    ...(top ? [fc.constant({ kind: 'human', ref: 'person' })] : []),
  ];
  return fc
    .tuple(
      fc.oneof(...kinds),
      fc.constantFrom('fail', 'continue', 'retry'),
      fc.nat(2),
      fc.constantFrom(null, 3),
    )
    .map(
      ([target, on_error, max_retries, timeout_seconds]): JsonObject => ({
        id,
        ...target,
        on_error,
        max_retries,
        timeout_seconds,
      }),
    );
}

function steps(nested: boolean, top: boolean) {
  return fc
    .integer({ min: 1, max: 5 })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_, i) => stepOf(`s${i}`, nested, top))),
    );
}

/** A workflow of any kind; `nested`: its steps may be workflows, `top`: a person may be asked. */
export function workflow(nested: boolean, top: boolean): fc.Arbitrary<JsonObject> {
  const listed = (type: string, key: string) =>
    steps(nested, top).map((list): JsonObject => ({ type, name: type, [key]: list }));
  const graph = fc
    .tuple(
      steps(nested, top),
      fc.array(fc.tuple(fc.nat(4), fc.nat(4), fc.boolean()), { maxLength: 8 }),
      fc.nat(6),
    )
    .map(
      ([list, links, cap]): JsonObject => ({
        type: 'graph',
        name: 'graph',
        start: 's0',
        max_steps: cap + 1,
        nodes: Object.fromEntries(list.map((item) => [String(item['id']), item])),
        edges: links
          .filter(([from, to]) => from < list.length && to < list.length)
          .map(([from, to, conditional]) => ({
            from: `s${from}`,
            to: `s${to}`,
            condition: conditional ? { type: 'output_contains', value: 'final' } : null,
          })),
      }),
    );
  return fc.oneof(
    listed('sequential', 'steps'),
    listed('handoff', 'participants'),
    listed('concurrent', 'participants'),
    steps(nested, top).map(
      (list): JsonObject => ({ type: 'group-chat', name: 'chat', rounds: 2, participants: list }),
    ),
    graph,
  );
}

/** The program of a workflow with components for everything that its steps name. */
export function programWith(root: JsonObject, inner: JsonObject): Program {
  const loaded = loadSpec({
    base: {
      version: 'v1',
      agent: {
        name: 'root',
        guardrails: {
          workflow: [{ id: 'w', type: 'regex', action: 'redact', config: { patterns: ['zz+'] } }],
        },
      },
      workflow: root,
      tools: { web_search: { description: 's', implementation: 'sometimes' } },
      components: {
        agents: {
          plain: { name: 'plain' },
          tooled: {
            name: 'tooled',
            strategy: 'react',
            tools: { include: ['web_search'], permissions: {} },
          },
          planner: {
            name: 'planner',
            strategy: 'plan-act',
            memory: { policy: 'sliding_window', max_messages: 3 },
          },
          guarded: {
            name: 'guarded',
            guardrails: { input: [{ id: 'g', type: 'keyword', config: { keywords: ['stop!'] } }] },
          },
          team: { name: 'team', as_agent: 'pair' },
        },
        functions: Object.fromEntries(FUNCTIONS.map((name) => [name, { implementation: name }])),
        humans: { person: { request_type: 'freeform' } },
        workflows: {
          inner,
          pair: { type: 'sequential', steps: [{ id: 'p', kind: 'agent', ref: 'plain' }] },
        },
      },
    },
  });
  if (loaded.spec === undefined) throw new Error(JSON.stringify(loaded.diagnostics));
  return buildProgram(loaded.spec);
}
