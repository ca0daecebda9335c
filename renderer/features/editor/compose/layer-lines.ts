import type { ComposeView } from '../../../../server/contract/studio/govern.ts';
import { editText, valueAt } from '../../../../server/spec/edit/edit-text.ts';
import { editValue } from '../../../../server/spec/edit/edit-value.ts';
import { applyEdits } from '../../../../server/spec/edit/text-edit.ts';
import type { OpenDocument } from '../../../../server/spec/language/open-document.ts';
import { formatPath, type PathSegment } from '../../../../server/spec/values/path.ts';
import { emitYaml } from '../../../../server/spec/yaml/emit-yaml.ts';
import type { SourceEntry, SourceNode } from '../../../../server/spec/yaml/source-map.ts';

/** A layer of a composition: overlays count from 0 in the order of application. */
export type LayerKey = 'base' | 'overrides' | `overlay ${number}`;

/** A value of the composed text that has no parts of its own: a scalar, a list or an empty mapping. */
export interface ComposedLeaf {
  readonly path: readonly PathSegment[];
  readonly label: string;
  readonly layer: LayerKey;
}

/** Where the lines and values of a composed text come from. */
export interface ComposedLayers {
  /** One for each line; null where a line holds parts of several layers, or nothing. */
  readonly lines: readonly (LayerKey | null)[];
  readonly leaves: readonly ComposedLeaf[];
}

function keyOf({ origin, overlay }: ComposeView['origins'][number]): LayerKey {
  return origin === 'overlay' ? `overlay ${overlay ?? 0}` : origin;
}

/** The one layer of all parts; null when they are of several, undefined when there are none. */
type Whole = LayerKey | null | undefined;

function joined(a: Whole, b: Whole): Whole {
  if (a === undefined || b === undefined) return a ?? b;
  return a === b ? a : null;
}

/** Each line and each value of a composed text with the layer that it comes from. */
export function layersOfText(
  document: OpenDocument,
  origins: ComposeView['origins'],
): ComposedLayers {
  const known = new Map(origins.map((origin) => [origin.path, keyOf(origin)]));
  const { source, text } = document;
  const lines: (LayerKey | null)[] = text.split('\n').map(() => null);
  const leaves: ComposedLeaf[] = [];
  const fill = (start: number, end: number, layer: LayerKey | null): void => {
    const last = source.positionOf(start + text.slice(start, end).trimEnd().length).line;
    for (let line = source.positionOf(start).line; line <= last; line += 1) lines[line - 1] = layer;
  };
  const entry = ({ key, keyStart, keyEnd, value }: SourceEntry, above: PathSegment[]): Whole => {
    const path = [...above, key];
    const label = formatPath(path);
    const layer = known.get(label);
    if (layer !== undefined) {
      leaves.push({ path, label, layer });
      fill(keyStart, Math.max(keyEnd, value.end), layer);
      return layer;
    }
    const whole = node(value, path);
    if (whole !== undefined) fill(keyStart, keyEnd, whole);
    return whole;
  };
  const node = (value: SourceNode, path: PathSegment[]): Whole =>
    value.kind === 'map'
      ? value.entries.map((one) => entry(one, path)).reduce<Whole>(joined, undefined)
      : undefined;
  if (source.root !== undefined) node(source.root, []);
  return { lines, leaves };
}

/** The layer that gave a place of the composed document, or most of what leads there. */
export function layerAt(origins: ComposeView['origins'], path: string): LayerKey | null {
  let best: ComposeView['origins'][number] | undefined;
  for (const origin of origins) {
    const within =
      path.startsWith(origin.path) && /^(?:$|[.[])/.test(path.slice(origin.path.length));
    if (within && (best === undefined || origin.path.length > best.path.length)) best = origin;
  }
  return best === undefined ? null : keyOf(best);
}

/** True for a text of comments and empty lines alone. */
export function saysNothing(text: string): boolean {
  return text.split('\n').every((line) => /^(?:#|$)/.test(line.trim()));
}

/** The overrides with a value of the composed text in them; null when they cannot take it. */
export function addOverride(
  document: OpenDocument,
  overrides: string,
  path: readonly PathSegment[],
): string | null {
  const { value: whole } = document.parsed;
  if (whole === undefined) return null;
  const edit = { op: 'set' as const, path, value: valueAt(whole, path) };
  const edits = editText(overrides, edit);
  if (edits !== undefined) return applyEdits(overrides, edits);
  const alone = saysNothing(overrides) ? editValue({}, edit) : undefined;
  return alone === undefined ? null : `${overrides}${emitYaml(alone)}`;
}
