import type { SourceMapping, SourceNode, SourceScalar } from '../spec/yaml/source-map.ts';
import { parseYamlTree } from '../spec/yaml/tree.ts';
import { unparseable } from './source-refused.ts';
import type { Value, ValueMap } from './value.ts';

const MAX_VALUES = 1_000_000;

interface Budget {
  left: number;
}

function targetOf(node: SourceNode): SourceNode {
  return node.kind === 'alias' ? targetOf(node.target) : node;
}

function addEntries(target: ValueMap, map: SourceMapping, budget: Budget): void {
  for (const merged of map.merged.toReversed()) {
    const source = targetOf(merged);
    if (source.kind === 'map') addEntries(target, source, budget);
  }
  for (const entry of map.entries) target.set(entry.key, toValue(entry.value, budget));
}

/** Numbers of YAML 1.1 that a spec may not hold, and a source may. */
const WIDE_INTEGER = /^[-+]?[1-9][0-9_]{15,}$/;
const NOT_FINITE = /^([-+]?)\.(?:(inf|Inf|INF)|nan|NaN|NAN)$/;

function wideNumber(text: string): number | undefined {
  if (WIDE_INTEGER.test(text)) return Number(text.replaceAll('_', ''));
  const match = NOT_FINITE.exec(text);
  if (match === null) return undefined;
  const [, sign, infinite] = match;
  if (infinite === undefined) return Number.NaN;
  return sign === '-' ? -Infinity : Infinity;
}

/** A date is no text of the source, and nothing that an adapter reads. */
function scalar({ value, type, style }: SourceScalar): Value {
  if (type === 'date') return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  const wide = style === 'plain' ? wideNumber(value) : undefined;
  return wide ?? value.toWellFormed();
}

function toValue(written: SourceNode, budget: Budget): Value {
  const node = targetOf(written);
  budget.left -= 1;
  if (budget.left < 0) {
    throw unparseable(`The aliases of the file make more than ${MAX_VALUES} values of it.`);
  }
  if (node.kind === 'scalar') return scalar(node);
  if (node.kind === 'list') return node.items.map((item) => toValue(item, budget));
  const made: ValueMap = new Map();
  if (node.kind === 'map') addEntries(made, node, budget);
  return made;
}

/**
 * Reads one YAML 1.1 document; mappings keep the order of the text. Custom tags, aliases that
 * contain themselves, deep nesting and more than 1,000,000 values after aliases are refused.
 */
export function readYaml(raw: string): Value {
  const { root, problems } = parseYamlTree(raw);
  const first = problems.find(({ start, end }) => wideNumber(raw.slice(start, end)) === undefined);
  if (first !== undefined) {
    const before = raw.slice(0, first.start);
    const line = before.split('\n').length;
    const column = first.start - before.lastIndexOf('\n');
    throw unparseable(`The file is not readable YAML: a fault at line ${line}, column ${column}.`, {
      line,
      column,
    });
  }
  if (root === undefined) throw unparseable('The file is empty.');
  return toValue(root, { left: MAX_VALUES });
}
