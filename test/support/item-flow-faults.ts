// Looks for every wire and every setting of an n8n export in a draft that is a flow of items. It
// reads the export and the draft only.
import { isDeepStrictEqual } from 'node:util';
import type { Analysis } from '../../server/importers/analysis.ts';
import { isObject } from '../../server/kernel/json.ts';

const MODEL = /is connected to the flow; a model is no step/;
const MARK = '<redacted>';

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

interface Wire {
  readonly from: string;
  readonly port: number;
  readonly to: string;
  readonly input: number;
}

/** The wires of an export between the elements of the drawing, by their ids there. */
function wiresOf(root: unknown, { canvas }: Analysis): Wire[] {
  const ids = new Map<string, string>();
  for (const [index, { source_id }] of canvas.nodes.entries()) {
    const name = at(list(at(root, 'nodes'))[index], 'name');
    if (typeof name === 'string' && name !== '' && !ids.has(name)) ids.set(name, source_id);
  }
  const connections = at(root, 'connections');
  const out: Wire[] = [];
  for (const [name, buckets] of Object.entries(isObject(connections) ? connections : {})) {
    const from = ids.get(name);
    for (const [port, links] of list(at(buckets, 'main')).entries()) {
      for (const link of list(links)) {
        const to = ids.get(String(isObject(link) ? link['node'] : link));
        const index = at(link, 'index');
        const input = Number.isInteger(index) && Number(index) > 0 ? Number(index) : 0;
        if (from !== undefined && to !== undefined) out.push({ from, port, to, input });
      }
    }
  }
  return out;
}

/** The output that an edge leaves; undefined when it asks the step's text. */
function outputOf(edge: unknown): number | undefined {
  const condition = at(edge, 'condition');
  if (condition === undefined) return 0;
  const match = /^output_(\d+)$/.exec(String(at(condition, 'key')));
  const isOutput = at(condition, 'type') === 'metadata_equals' && at(condition, 'value') === true;
  return match !== null && isOutput ? Number(match[1]) : undefined;
}

function wireFaults(root: unknown, analysis: Analysis): string[] {
  const { spec, canvas, gaps } = analysis;
  const stepOf = new Map(canvas.nodes.map((node) => [node.source_id, node.spec_ref]));
  const models = new Set(
    gaps.filter(({ detail }) => MODEL.test(detail)).map((gap) => gap.source_ref.source_id),
  );
  const edges = list(at(spec, 'workflow', 'edges'));
  return wiresOf(root, analysis).flatMap(({ from, port, to, input }) => {
    if (models.has(from) || models.has(to)) return [];
    const [source, target] = [stepOf.get(from) ?? '', stepOf.get(to) ?? ''];
    const edge = edges.some((one) => {
      const output = outputOf(one);
      const isBetween = at(one, 'from') === source && at(one, 'to') === target;
      return isBetween && (output === undefined || output === port);
    });
    if (!edge) return [`${from} -${port}-> ${to} is no edge`];
    const inputs = at(spec, 'metadata', 'flow', 'steps', target, 'inputs');
    if (input === 0 && inputs === undefined) return [];
    const isFed = list(list(inputs)[input]).some((feed) =>
      isDeepStrictEqual(feed, { step: source, output: port }),
    );
    return isFed ? [] : [`${from} -${port}-> ${to} does not feed the input ${input}`];
  });
}

/** True when a value is in the draft as it is, but for secrets that were taken out. */
function isCarried(value: unknown, json: unknown): boolean {
  if (typeof json === 'string' && json.includes(MARK)) return true;
  if (Array.isArray(value) && Array.isArray(json)) {
    return value.length === json.length && value.every((item, i) => isCarried(item, json[i]));
  }
  if (isObject(value) && isObject(json)) {
    const names = Object.keys(value);
    const isMarked = Object.keys(json).some((name) => name.includes(MARK));
    if (isMarked || names.length !== Object.keys(json).length) return isMarked;
    return names.every((name) => isCarried(value[name], json[name]));
  }
  const isOdd = typeof value === 'number' && !Number.isSafeInteger(value);
  return isDeepStrictEqual(value, json) || (isOdd && json === String(value));
}

function settingFaults(root: unknown, { canvas, spec }: Analysis): string[] {
  return canvas.nodes.flatMap(({ spec_ref, source_id }, index) => {
    if (spec_ref === null) return [];
    const entry = at(spec, 'metadata', 'flow', 'steps', spec_ref);
    if (entry === undefined) return [`${source_id} has no entry`];
    const isFunction = at(spec, 'workflow', 'nodes', spec_ref, 'kind') === 'function';
    const parameters = at(list(at(root, 'nodes'))[index], 'parameters');
    const own = isObject(parameters) ? parameters : {};
    if (!isFunction || isCarried(own, at(entry, 'parameters'))) return [];
    return [`the parameters of ${source_id} differ`];
  });
}

/** True for a draft that is a flow of items. */
export function isItemFlow({ spec }: Analysis): boolean {
  return isObject(at(spec, 'metadata', 'flow'));
}

/** Wires that are no edge, and settings that are not in the draft as they are. */
export function itemFlowFaults(raw: string, analysis: Analysis): string[] {
  const root: unknown = JSON.parse(raw);
  return [...wireFaults(root, analysis), ...settingFaults(root, analysis)];
}
