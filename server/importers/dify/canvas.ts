import type { Canvas } from '../analysis.ts';
import type { DifyDocument } from './document.ts';

/** The app as it is drawn in the source; empty for apps without a graph. */
export function canvasOf(doc: DifyDocument, stepOf: (sourceId: string) => string | null): Canvas {
  const nodes = doc.nodes.map((node) => ({
    source_id: node.id,
    label: node.title,
    type: node.isNote ? 'note' : node.type,
    locator: node.ref.locator,
    position: node.position,
    disabled: false,
    spec_ref: stepOf(node.id),
  }));
  const edges: Canvas['edges'] = [];
  for (const { source, target } of doc.edges) {
    if (source === null || target === null) continue;
    edges.push({ source_id: source, target_id: target, kind: 'main' });
  }
  return { nodes, edges };
}
