import { type FlowSettings, type FlowStepSettings, flowSettings } from '../../contract/flow.ts';
import type { Spec } from '../schema/spec-types.ts';

/** The way to a field of an item, such as `['body', 'email']`. */
export type FieldPath = readonly string[];

const SEGMENTS = String.raw`((?:\??\.[A-Za-z_$][\w$]*|\[(?:"[^"\]]{1,80}"|'[^'\]]{1,80}')\]){1,6})(?![\w$])(\()?`;
const OWN = new RegExp(
  String.raw`\$(?:json|input\.(?:item|first\(\)|last\(\))\.json)${SEGMENTS}`,
  'g',
);
const NAMED = new RegExp(
  String.raw`\$(?:\(|node\[)(["'])([^"']{1,200})\1[)\]](?:\.(?:item|first\(\)|last\(\)))?\.json${SEGMENTS}`,
  'g',
);
const SEGMENT = /\.([A-Za-z_$][\w$]*)|\[["']([^"'\]]*)["']\]/g;

function pathOf(segments: string, isCall: boolean): FieldPath {
  const path = [...segments.matchAll(SEGMENT)].map(([, plain, quoted]) => plain ?? quoted ?? '');
  return isCall ? path.slice(0, -1) : path;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What hands the items on that it gets: what reads them behind it reads the same fields. */
const HANDS_ON =
  /\.(?:if|switch|filter|noOp|limit|wait|sort|merge|removeDuplicates|splitInBatches|respondToWebhook)$/;

type Edges = ReadonlyMap<string, readonly string[]>;

/** The steps whose `$json` is what a step gave, those behind steps that hand it on included. */
function readersOf(key: string, { steps }: FlowSettings, edges: Edges): ReadonlySet<string> {
  const readers = new Set<string>();
  const open = [...(edges.get(key) ?? [])];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (readers.has(at)) continue;
    readers.add(at);
    const step = steps[at];
    if (step === undefined || step.disabled === true || HANDS_ON.test(step.type))
      open.push(...(edges.get(at) ?? []));
  }
  return readers;
}

function textsOf(step: FlowStepSettings | undefined): readonly string[] {
  return step === undefined ? [] : textsIn([step.parameters, step.prompt]);
}

function distinct(paths: readonly FieldPath[]): FieldPath[] {
  const known = new Map(
    paths.filter(({ length }) => length > 0).map((path) => [path.join('\n'), path]),
  );
  const isWhole = (path: FieldPath): boolean =>
    ![...known.keys()].some((other) => other.startsWith(`${path.join('\n')}\n`));
  return [...known.values()].filter(isWhole);
}

/**
 * The fields of a step's items that later steps of an item flow read, as their expressions and code name
 * them; none for a spec that is no item flow. Of a field and one below it only the lower one is told.
 */
export function fieldsReadOf(spec: Spec): (key: string) => FieldPath[] {
  const { workflow, metadata } = spec;
  const flow = flowSettings.safeParse(metadata?.['flow']).data;
  if (flow === undefined || workflow?.type !== 'graph') return () => [];
  const edges = new Map(
    [...Map.groupBy(workflow.edges, ({ from }) => from)].map(
      ([from, leaving]) => [from, leaving.map(({ to }) => to)] as const,
    ),
  );
  const named = Object.values(flow.steps).flatMap((step) =>
    textsOf(step).flatMap((text) =>
      [...text.matchAll(NAMED)].map(([, , name = '', segments = '', call]) => {
        return { name, path: pathOf(segments, call !== undefined) };
      }),
    ),
  );
  return (key) => {
    const own = [...readersOf(key, flow, edges)].flatMap((reader) =>
      textsOf(flow.steps[reader]).flatMap((text) =>
        [...text.matchAll(OWN)].map(([, segments = '', call]) =>
          pathOf(segments, call !== undefined),
        ),
      ),
    );
    const byName = named.filter(({ name }) => name === flow.steps[key]?.name);
    return distinct([...own, ...byName.map(({ path }) => path)]);
  };
}
