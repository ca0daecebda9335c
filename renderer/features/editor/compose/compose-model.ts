import { z } from 'zod';
import { t } from '../../../../preload/texts/t.ts';
import type { DraftSummary } from '../../../../server/contract/studio/drafts.ts';
import type { DraftRef } from '../../../../server/contract/studio/fields.ts';
import type { CompositionView } from '../../../../server/contract/studio/govern.ts';
import { isObject, type JsonObject } from '../../../../server/kernel/json.ts';
import { emitYaml } from '../../../../server/spec/yaml/emit-yaml.ts';
import { parseSpecText } from '../../../../server/spec/yaml/parse-yaml.ts';
import { type ApiError, detailsOf, toApiError } from '../../../data/api-error.ts';
import { fileName } from '../../../data/draft-names.ts';
import { listText } from '../../../ui/list-text.ts';
import { type LayerKey, saysNothing } from './layer-lines.ts';

/** What somebody composes: drafts by their paths, overrides as they are typed. */
export interface Composing {
  readonly base: string;
  readonly overlays: readonly string[];
  readonly overrides: string;
}

/** Whether two compositions are of the same layers in the same order, with the same overrides. */
export function sameComposing(a: Composing, b: Composing): boolean {
  return (
    a.base === b.base &&
    a.overrides === b.overrides &&
    a.overlays.length === b.overlays.length &&
    a.overlays.every((path, at) => path === b.overlays[at])
  );
}

/** Overrides as they are typed, in YAML: their value, or why there is none. */
export type ReadOverrides =
  | { readonly value: JsonObject; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/** Reads the overrides; an empty text is none. */
export function readOverrides(text: string): ReadOverrides {
  const { value, diagnostics } = parseSpecText(text, 'yaml');
  if (value !== undefined && diagnostics.length === 0) return { value, problem: null };
  if (saysNothing(text)) return { value: {}, problem: null };
  const problem =
    diagnostics[0]?.message ?? t('Overrides are a mapping, such as "agent: {name: x}".');
  return { value: null, problem };
}

/** Overrides as somebody would type them. */
export function overridesText(overrides: Readonly<Record<string, unknown>>): string {
  return Object.keys(overrides).length === 0 ? '' : emitYaml(overrides as JsonObject);
}

/** The list with the entry at `from` at `to`; unchanged beyond the ends. */
export function moveTo<T>(list: readonly T[], from: number, to: number): readonly T[] {
  if (from === to || to < 0 || to >= list.length || from < 0 || from >= list.length) return list;
  const moved = [...list];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/** How a layer stands to what an artifact was made of. */
export type LayerState = 'new' | 'same' | 'changed' | 'missing';

/** A draft of a composition, as it is now. */
export interface ComposedLayer {
  readonly path: string;
  /** Null when there is no such draft, or its file cannot be read. */
  readonly revision: string | null;
  readonly state: LayerState;
}

/** The layer of a path, among the drafts as they are and what an artifact was made of. */
export function layerOf(
  path: string,
  drafts: readonly DraftSummary[],
  from: readonly DraftRef[],
): ComposedLayer {
  const revision = drafts.find(({ ref }) => ref === path)?.revision ?? null;
  const frozen = from.find((one) => one.path === path);
  if (revision === null) return { path, revision, state: 'missing' };
  if (frozen === undefined) return { path, revision, state: 'new' };
  return { path, revision, state: frozen.revision === revision ? 'same' : 'changed' };
}

/** The layers of an artifact, base first. */
export function frozenLayers({ base, overlays }: Pick<CompositionView, 'base' | 'overlays'>) {
  return [base, ...overlays];
}

/** Where a refusal is told: at a layer, at the overrides, or for the whole page. */
export interface ComposeFault {
  readonly row: LayerKey | null;
  readonly error: ApiError;
  /** What is wrong with the layer, in words. */
  readonly text: string;
}

const LOC = z.object({
  errors: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
});
const AT_PATH = z.object({ path: z.string() });
const OF_LAYER: Readonly<Record<string, string>> = {
  draft_stale: t('It was changed on disk since this page read it.'),
  component_wrong_kind: t('It is of another kind: a base is a spec, an overlay is an overlay.'),
  snapshot_unavailable: t('It cannot be read: the file is gone, or is no draft of the project.'),
};

function rowOfLoc([, part, at]: readonly (string | number)[]): LayerKey | null {
  if (part === 'base' || part === 'overrides') return part;
  return part === 'overlays' && typeof at === 'number' ? `overlay ${at}` : null;
}

function rowOfPath(path: string, { base, overlays }: Composing): LayerKey | null {
  if (path === base) return 'base';
  const at = overlays.indexOf(path);
  return at < 0 ? null : `overlay ${at}`;
}

/** Finds the row that a refusal of a composition is about. */
export function faultOf(failure: unknown, composing: Composing): ComposeFault {
  const error = toApiError(failure);
  const [first] = detailsOf(error, 'request_invalid', LOC)?.errors ?? [];
  if (first !== undefined) return { row: rowOfLoc(first.loc), error, text: first.msg };
  const path = detailsOf(error, error.code, AT_PATH)?.path;
  const row = path === undefined ? null : rowOfPath(path, composing);
  return { row, error, text: OF_LAYER[error.code] ?? error.message };
}

/** Says what will be frozen, for the button that does it. */
export function freezeLabel(
  { base, overlays }: Composing,
  overrides: Readonly<Record<string, unknown>> | null,
): string {
  const parts = [
    ...(overlays.length > 0
      ? [t('{count, plural, one {# overlay} other {# overlays}}', { count: overlays.length })]
      : []),
    ...(overrides !== null && Object.keys(overrides).length > 0
      ? [
          t('{count, plural, one {# override} other {# overrides}}', {
            count: countValues(overrides),
          }),
        ]
      : []),
  ];
  return t('Freeze {file}{detail}', {
    file: fileName(base),
    detail: parts.length > 0 ? t(' with {parts}', { parts: listText(parts) }) : '',
  });
}

/** How many values the overrides give; a list is one, as in the composition. */
export function countValues(value: Readonly<Record<string, unknown>>): number {
  return Object.values(value).reduce<number>((sum, item) => {
    return sum + (isObject(item) && Object.keys(item).length > 0 ? countValues(item) : 1);
  }, 0);
}

/** The name of a layer, as rows and lines show it. */
export function layerName(layer: LayerKey, { base, overlays }: Composing): string {
  if (layer === 'base') return fileName(base);
  if (layer === 'overrides') return t('Overrides');
  return fileName(overlays[overlayIndex(layer) ?? -1] ?? '');
}

/** The position of an overlay's layer; null for another layer. */
export function overlayIndex(layer: LayerKey): number | null {
  return layer === 'base' || layer === 'overrides' ? null : Number(layer.slice('overlay '.length));
}
