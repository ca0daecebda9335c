import type { Canvas } from '../analysis.ts';
import type { ElementDocument } from './document.ts';

/** The drawing of a source that has elements and wires. */
export function canvasOf(
  doc: ElementDocument,
  stepOf: (sourceId: string) => string | null,
): Canvas {
  return {
    nodes: doc.elements.map(({ id, title, type, ref, position }) => ({
      source_id: id,
      label: title,
      type,
      locator: ref.locator,
      position: position === null ? null : { ...position },
      disabled: false,
      spec_ref: stepOf(id),
    })),
    edges: doc.wires.map(({ source, target }) => ({
      source_id: source,
      target_id: target,
      kind: 'main',
    })),
  };
}
