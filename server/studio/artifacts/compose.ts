import { refuse } from '../../contract/studio/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { layerDocuments } from '../../spec/load/overlay.ts';
import { parseWholeText } from '../../spec/yaml/parse-yaml.ts';
import { readComponent } from './component-text.ts';
import type { SnapshotPart } from './snapshot-manifest.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function documentOf(part: SnapshotPart): JsonObject {
  const text = snapshotText(part);
  if (part.role === 'overrides') {
    const { value } = parseWholeText(text, 'json');
    if (value === undefined) throw refuse('snapshot_corrupt');
    return value;
  }
  const read = readComponent(part.name, text);
  if (!read.ok) throw refuse('snapshot_corrupt', { message: `${part.name}: ${read.reason}` });
  return read.document;
}

/** The documents of a composition, each by itself. */
export interface Layers {
  readonly base: JsonObject;
  readonly overlays: readonly JsonObject[];
  readonly overrides: JsonObject;
}

/** The layers of a snapshot from its frozen bytes. @throws Refusal `snapshot_corrupt`. */
export function snapshotLayers(parts: readonly SnapshotPart[]): Layers {
  const [base, ...rest] = parts.map((part) => ({ role: part.role, document: documentOf(part) }));
  if (base === undefined) throw refuse('snapshot_corrupt');
  return {
    base: base.document,
    overlays: rest.filter((part) => part.role === 'overlay').map((part) => part.document),
    overrides: rest.find((part) => part.role === 'overrides')?.document ?? {},
  };
}

/** base ⊕ overlays ⊕ overrides from the frozen bytes (studio.md 7.4), with the platform's own merge. */
export function composeSnapshot(parts: readonly SnapshotPart[]): JsonObject {
  const { base, overlays, overrides } = snapshotLayers(parts);
  return layerDocuments(base, overlays, overrides);
}

/** The frozen text of a component; the bytes were read as one when they were frozen. */
export function snapshotText({ bytes }: SnapshotPart): string {
  return decoder.decode(bytes);
}
