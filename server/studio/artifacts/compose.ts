import { refuse } from '../../contract/studio/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { layerDocuments } from '../../spec/load/overlay.ts';
import { parseWholeText } from '../../spec/yaml/parse-yaml.ts';
import { readComponent } from './component-text.ts';
import type { SnapshotPart } from './snapshot-manifest.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function documentOf(part: SnapshotPart): JsonObject {
  const text = decoder.decode(part.bytes);
  if (part.role === 'overrides') {
    const { value } = parseWholeText(text, 'json');
    if (value === undefined) throw refuse('snapshot_corrupt');
    return value;
  }
  const read = readComponent(part.name, text);
  if (!read.ok) throw refuse('snapshot_corrupt', { message: `${part.name}: ${read.reason}` });
  return read.document;
}

/** base ⊕ overlays ⊕ overrides from the frozen bytes (studio.md 7.4), with the platform's own merge. */
export function composeSnapshot(parts: readonly SnapshotPart[]): JsonObject {
  const [base, ...rest] = parts.map((part) => ({ role: part.role, document: documentOf(part) }));
  if (base === undefined) throw refuse('snapshot_corrupt');
  const overlays = rest.filter((part) => part.role === 'overlay').map((part) => part.document);
  const overrides = rest.find((part) => part.role === 'overrides')?.document;
  return layerDocuments(base.document, overlays, overrides);
}
