import type { Canvas } from '../analysis.ts';
import type { N8nDocument } from './document.ts';

/** The workflow as it is drawn in the source. */
export function canvasOf(doc: N8nDocument, stepOf: (sourceId: string) => string | null): Canvas {
  return {
    nodes: doc.nodes.map((node) => ({
      source_id: node.id,
      label: node.name,
      type: node.type,
      locator: node.ref.locator,
      position: node.position,
      disabled: node.disabled,
      spec_ref: stepOf(node.id),
    })),
    edges: doc.links.map((link) => ({
      source_id: link.source.id,
      target_id: link.target.id,
      kind: link.type,
    })),
  };
}
