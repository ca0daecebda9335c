import { z } from 'zod';
import { type FlowStepSettings, flowSettings } from '../../../server/contract/flow.ts';
import { topologyOf } from '../../../server/spec/graph/topology.ts';
import type { OpenDocument } from '../../../server/spec/language/open-document.ts';
import { type AttachedRegistry, registryFindings } from '../../../server/spec/language/registry.ts';
import { credentialNeeds } from '../../../server/spec/reports/credential-needs.ts';
import { type FieldPath, fieldsReadOf } from '../../../server/spec/reports/read-fields.ts';
import { replaceableParts } from '../../../server/spec/reports/replaceable-parts.ts';
import type { PlacedDiagnostic } from '../../../server/spec/rules/validate.ts';
import type { Spec } from '../../../server/spec/schema/spec-types.ts';
import type { SourceMap } from '../../../server/spec/yaml/source-map.ts';
import { graphOfTopology } from '../../graph/topology-graph.ts';
import type { FlowTrigger } from '../../run-input/flow-input.ts';
import { type TriggerField, triggerFields } from '../../run-input/trigger-form.ts';
import { editingOf } from './graph-editing/editing-model.ts';
import { difyFields } from './run/dify-form.ts';
import { outlineOfText } from './spec-language.ts';
import type { RangedDiagnostic, SpecAnalysis, StandIn, TextRange } from './spec-protocol.ts';
import { textRange } from './text-range.ts';

function rangeOfSpot(spot: ReturnType<SourceMap['find']>): TextRange | null {
  return spot === undefined
    ? null
    : textRange({ start: (spot.key ?? spot.value).start, end: spot.value.end });
}

function ranged(diagnostic: PlacedDiagnostic): RangedDiagnostic {
  return { ...diagnostic, range: textRange(diagnostic.range) };
}

const OFFLINE_PROVIDERS = new Set(['dummy', 'default']);

function offlineAgents(spec: Spec): readonly string[] {
  const parts = Object.entries(spec.components.agents);
  const all = spec.workflow === null ? [['agent', spec.agent] as const, ...parts] : parts;
  return all.flatMap(([name, { model }]) =>
    model === null || OFFLINE_PROVIDERS.has(model.provider) ? [name] : [],
  );
}

const choiceOfTriggers = z.object({ triggers: z.array(z.string()) });

/** The triggers that a run of an item flow may begin with, its start where there is no choice; null for a spec that is no item flow. */
function flowTriggers(
  { metadata, workflow }: Spec,
  fieldsRead: (key: string) => readonly FieldPath[],
): readonly FlowTrigger[] | null {
  const read = flowSettings.safeParse(metadata?.['flow']);
  if (!read.success || workflow?.type !== 'graph') return null;
  const { steps, source, mode } = read.data;
  const fieldsOf = (key: string, step: FlowStepSettings): TriggerField[] =>
    source === 'dify' ? difyFields(step, mode) : triggerFields(step, fieldsRead(key));
  const choice = choiceOfTriggers.safeParse(steps[workflow.start]?.parameters);
  const keys = choice.success ? choice.data.triggers : [workflow.start];
  return keys.map((key) => {
    const step = steps[key];
    return { key, name: step?.name ?? key, fields: step === undefined ? [] : fieldsOf(key, step) };
  });
}

/** The steps and tools that a rehearsal may answer for, with what later steps read of them. */
function standIns(
  spec: Spec,
  fieldsRead: (key: string) => readonly FieldPath[],
): readonly StandIn[] {
  return replaceableParts(spec).map((part) => ({
    ...part,
    reads: part.kind === 'step' ? fieldsRead(part.key) : [],
  }));
}

/**
 * Everything the editor shows about one text: findings with ranges, topology, node places. Entries
 * of a registry are looked up where one is known.
 */
export function analyseText(
  document: OpenDocument,
  now: () => number,
  registry: AttachedRegistry | null = null,
): SpecAnalysis {
  const began = now();
  const result = document.validation();
  const topology = result.spec === undefined ? null : topologyOf(result.spec);
  const { source } = document;
  const fieldsRead = result.spec === undefined ? () => [] : fieldsReadOf(result.spec);
  return {
    diagnostics: [
      ...document.findings(),
      ...(registry === null ? [] : registryFindings(document, registry)),
    ].map(ranged),
    graph: topology === null ? null : graphOfTopology(topology),
    parsed: result.diagnostics.every(({ code }) => code !== 'E_PARSE'),
    nodeRanges: Object.fromEntries(
      (topology?.nodes ?? []).flatMap(({ id, kind, path }) => {
        const range = kind === 'start' || kind === 'end' ? null : rangeOfSpot(source.nearest(path));
        return range === null ? [] : [[id, range]];
      }),
    ),
    lineRanges: Object.fromEntries(
      (topology?.edges ?? []).flatMap(({ id, path }) => {
        const range = path === null ? null : rangeOfSpot(source.nearest(path));
        return range === null ? [] : [[id, range]];
      }),
    ),
    outline: outlineOfText(document),
    offlineAgents: result.spec === undefined ? [] : offlineAgents(result.spec),
    flow: result.spec === undefined ? null : flowTriggers(result.spec, fieldsRead),
    standIns: result.spec === undefined ? [] : standIns(result.spec, fieldsRead),
    credentials: result.spec === undefined ? [] : credentialNeeds(result.spec),
    editing:
      result.spec === undefined || topology === null
        ? null
        : editingOf(document, result.spec, topology),
    milliseconds: now() - began,
  };
}

const NAMED_PLACES = [
  'workflow.nodes',
  'components.agents',
  'components.functions',
  'components.humans',
  'components.workflows',
  'tools',
];

/**
 * Where a document path, or the name of an element, stands in a text; the nearest ancestor when the
 * text has no such place; null for an empty text.
 */
export function locatePath(document: OpenDocument, wanted: string): TextRange | null {
  const { source } = document;
  const { spec } = document.validation();
  const path = wanted.replace(/^\$\.?/, '');
  const exact = source.find(path);
  if (exact !== undefined && path !== '') {
    return rangeOfSpot(exact);
  }
  const named = NAMED_PLACES.map((place) => source.find(`${place}.${path}`)).find(
    (spot) => spot !== undefined,
  );
  const node =
    spec === undefined ? undefined : topologyOf(spec).nodes.find(({ label }) => label === path);
  return rangeOfSpot(
    named ?? (node === undefined ? source.nearest(path) : source.nearest(node.path)),
  );
}

/** The node whose text holds the line; the innermost when several do. */
export function nodeAtLine(
  nodeRanges: Readonly<Record<string, TextRange>>,
  line: number,
): string | undefined {
  return Object.entries(nodeRanges)
    .filter(([, range]) => range.startLine <= line && line <= range.endLine)
    .toSorted(([, a], [, b]) => a.endLine - a.startLine - (b.endLine - b.startLine))[0]?.[0];
}
