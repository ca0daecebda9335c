import {
  type DraftElement,
  elementNamed,
  stepsOf,
} from '../../../../server/gaps/fixes/draft-steps.ts';
import type { DraftText } from '../../../../server/gaps/fixes/fix-types.ts';
import { missingCode } from '../../../../server/gaps/fixes/missing-code.ts';
import type { NamedSource } from '../../../../server/gaps/fixes/source-links.ts';
import type { SketchedPart } from '../../../../server/spec/edit/function-sketch.ts';
import type { Topology } from '../../../../server/spec/graph/topology.ts';
import { openDocument } from '../../../../server/spec/language/open-document.ts';
import { credentialNeeds } from '../../../../server/spec/reports/credential-needs.ts';
import { isAt } from '../../../../server/spec/reports/replaceable-parts.ts';
import { formatPath } from '../../../../server/spec/values/path.ts';
import { formatOfFile } from '../../../../server/spec/yaml/parse-yaml.ts';
import type { SourceMap } from '../../../../server/spec/yaml/source-map.ts';
import { graphOfTopology } from '../../../graph/topology-graph.ts';
import type { DraftPlace, DraftReading } from './draft-protocol.ts';
import { drawWholeDraft } from './draft-topology.ts';

const NOTHING: DraftReading = {
  ...{ graph: null, nodesOf: {}, placeOf: {}, errors: 1 },
  ...{ codeOf: {}, secretOf: {} },
};

function pathsOf({ steps, tools, components }: DraftElement): readonly string[] {
  return [
    ...[...steps.map(({ path }) => path), ...components].map(formatPath),
    ...tools.map((name) => `tools.${name}`),
  ];
}

function placeAt(source: SourceMap, path: string | undefined): DraftPlace | undefined {
  const spot = path === undefined ? undefined : source.find(path);
  if (path === undefined || spot === undefined) {
    return undefined;
  }
  return {
    path,
    startLine: (spot.key ?? spot.value).start.line,
    endLine: spot.value.end.column === 1 ? spot.value.end.line - 1 : spot.value.end.line,
  };
}

/** Reads a draft: its graph, and which part of it each element of the source became. */
export function readDraftText(
  { text, file }: DraftText,
  sources: readonly NamedSource[],
): DraftReading {
  const document = openDocument(text, formatOfFile(file));
  const { value } = document.parsed;
  const { spec, diagnostics } = document.validation();
  if (value === undefined) {
    return NOTHING;
  }
  const topology: Topology | null = spec === undefined ? null : drawWholeDraft(spec);
  const drawn = Map.groupBy(topology?.nodes ?? [], ({ path }) => path);
  const steps = stepsOf(value);
  const nodesOf: [string, readonly string[]][] = [];
  const placeOf: [string, DraftPlace][] = [];
  const codeOf: [string, SketchedPart][] = [];
  const secretOf: [string, string][] = [];
  const needs = spec === undefined ? [] : credentialNeeds(spec);
  for (const { source_id, name } of sources) {
    const element = elementNamed(value, name, steps);
    const paths = pathsOf(element);
    const [code] = missingCode(value, element);
    if (code !== undefined) {
      codeOf.push([source_id, code]);
    }
    const places = [`metadata.flow.steps.${name}`, `metadata.tools.${name}`];
    const need = needs.find((one) => one.steps.some(({ path }) => isAt(path, places)));
    if (need !== undefined) {
      secretOf.push([source_id, need.secret]);
    }
    const nodes = paths.flatMap((path) => (drawn.get(path) ?? []).map(({ id }) => id));
    const place = placeAt(document.source, paths[0]);
    if (nodes.length > 0) {
      nodesOf.push([source_id, nodes]);
    }
    if (place !== undefined) {
      placeOf.push([source_id, place]);
    }
  }
  return {
    graph: topology === null ? null : graphOfTopology(topology),
    nodesOf: Object.fromEntries(nodesOf),
    placeOf: Object.fromEntries(placeOf),
    codeOf: Object.fromEntries(codeOf),
    secretOf: Object.fromEntries(secretOf),
    errors: diagnostics.filter(({ severity }) => severity === 'error').length,
  };
}
