import type { N8nDocument, N8nLink, N8nNode } from './document.ts';
import type { Wiring } from './scene.ts';

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Indexes the links of a document; attachments of disabled elements are left out. */
export function indexWiring(doc: N8nDocument): Wiring {
  const attachments: N8nLink[] = [];
  const attachmentsFrom = new Map<string, N8nLink[]>();
  const attachmentsTo = new Map<string, N8nLink[]>();
  const mainFrom = new Map<string, N8nLink[]>();
  const mainTo = new Map<string, N8nLink[]>();
  const modelsOf = new Map<string, N8nNode[]>();
  for (const link of doc.links) {
    if (link.type === 'main') {
      push(mainFrom, link.source.id, link);
      push(mainTo, link.target.id, link);
    } else if (!link.source.disabled) {
      attachments.push(link);
      push(attachmentsFrom, link.source.id, link);
      push(attachmentsTo, link.target.id, link);
      const isModel = link.type === 'ai_languageModel';
      if (isModel && !modelsOf.get(link.target.id)?.includes(link.source)) {
        push(modelsOf, link.target.id, link.source);
      }
    }
  }
  return { doc, attachments, attachmentsFrom, attachmentsTo, mainFrom, mainTo, modelsOf };
}
