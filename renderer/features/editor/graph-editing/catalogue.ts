import { t } from '../../../../preload/texts/t.ts';
import type { StepPlace } from '../../../../server/spec/edit/graph/operation.ts';
import type { StepKind } from '../../../../server/spec/schema/spec-types.ts';
import type { GraphEditing } from './editing-types.ts';

/** What a new step can be. */
export interface CatalogueEntry {
  readonly id: string;
  readonly kind: StepKind;
  /** The component that it runs; null for a new one. */
  readonly ref: string | null;
  readonly title: string;
  readonly about: string;
}

const FRESH: readonly CatalogueEntry[] = [
  ['agent', t('New agent'), t('A model with instructions of its own')],
  ['function', t('New function'), t('Code of the project')],
  ['human', t('New human step'), t('A person decides or answers')],
  ['guardrail', t('New guardrail'), t('An agent that checks')],
].map(([kind, title, about]) => ({
  id: `new ${kind}`,
  kind: kind as Exclude<StepKind, 'workflow'>,
  ref: null,
  title: title ?? '',
  about: about ?? '',
}));

function known(kind: StepKind, refs: readonly string[], about: string): CatalogueEntry[] {
  return refs.map((ref) => ({ id: `${kind} ${ref}`, kind, ref, title: ref, about }));
}

/** Everything that a step can be in a spec, new parts first. */
export function catalogueOf({ parts }: GraphEditing): readonly CatalogueEntry[] {
  return [
    ...FRESH,
    ...known('agent', parts.agents, t('Agent of this spec')),
    ...known('function', parts.functions, t('Function of this spec')),
    ...known('human', parts.humans, t('Human step of this spec')),
    ...known('workflow', parts.workflows, t('Workflow of this spec')),
    ...known('guardrail', parts.agents, t('Agent of this spec, as a guardrail')),
  ];
}

/** The entries that a search finds. */
export function found(
  entries: readonly CatalogueEntry[],
  words: string,
): readonly CatalogueEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ title, about, kind }) => {
    const text = `${title} ${about} ${kind}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** A name that none of the taken ones is. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}_${count}`;
    if (!taken.has(name)) return name;
  }
}

/** The keys of the steps of a workflow. */
export function keysOf({ steps }: GraphEditing, workflow: string | null): ReadonlySet<string> {
  return new Set(
    Object.values(steps).flatMap(({ at, key }) => (at.workflow === workflow ? [key] : [])),
  );
}

/** A place that a new step can go to, in words. */
export interface PlaceChoice {
  readonly value: string;
  readonly label: string;
  readonly place: StepPlace;
}

function listPlaces(editing: GraphEditing, workflow: string | null): PlaceChoice[] {
  const steps = new Map<number, string>();
  for (const { at, key } of Object.values(editing.steps)) {
    if (at.workflow === workflow && typeof at.step === 'number') steps.set(at.step, key);
  }
  const before = [...steps]
    .sort(([a], [b]) => a - b)
    .map(([index, key]) => ({
      value: `list ${index}`,
      label: t('Before "{key}"', { key }),
      place: { in: 'list', index } as const,
    }));
  const index = steps.size;
  return [
    ...before,
    { value: `list ${index}`, label: t('At the end'), place: { in: 'list', index } },
  ];
}

function graphPlaces(editing: GraphEditing, workflow: string | null): PlaceChoice[] {
  const after = [...keysOf(editing, workflow)].map((key) => ({
    value: `after ${key}`,
    label: t('After "{key}", with an edge', { key }),
    place: { in: 'graph', after: key } as const,
  }));
  const on = new Map(
    Object.values(editing.lines).flatMap(({ at, from, to }) =>
      at.workflow === workflow && 'edge' in at
        ? [[at.edge, `Between "${from}" and "${to}"`] as const]
        : [],
    ),
  );
  return [
    ...after,
    ...[...on].map(([edge, label]) => ({
      value: `on ${edge}`,
      label,
      place: { in: 'graph', on: edge } as const,
    })),
    { value: 'alone', label: t('Alone, without an edge'), place: { in: 'graph' } },
  ];
}

/** Where a new step of a workflow can go. */
export function placesOf(editing: GraphEditing, workflow: string | null): readonly PlaceChoice[] {
  return editing.workflows[workflow ?? ''] === 'graph'
    ? graphPlaces(editing, workflow)
    : listPlaces(editing, workflow);
}
