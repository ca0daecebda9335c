import type { Element, ElementDocument, ElementWire } from '../elements/document.ts';
import { textOf } from '../value.ts';

/** The element that a loop leads back to: written as `<id>-<label>`, so that ids are looked for. */
export function loopTarget(loop: Element, doc: ElementDocument): string | undefined {
  const written = textOf(loop.settings.get('loopBackToNode')) ?? '';
  const found = doc.elements
    .filter(({ id }) => written === id || written.startsWith(`${id}-`))
    .sort((a, b) => b.id.length - a.id.length)[0];
  return found?.parent === loop.parent ? found.id : undefined;
}

/** The ways back of all loops, which the file has as settings. */
export function loopWires(doc: ElementDocument): ElementWire[] {
  return doc.elements.flatMap((element) => {
    if (element.type !== 'loopAgentflow') return [];
    const target = loopTarget(element, doc);
    return target === undefined ? [] : [{ source: element.id, target, output: 0 }];
  });
}
