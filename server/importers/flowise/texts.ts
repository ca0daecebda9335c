import type { Element, ElementDocument } from '../elements/document.ts';
import type { Loss } from '../graph-ir.ts';
import type { TextReading } from '../ledger/claims.ts';

const BREAKS = /<(?:br|\/p|\/li|\/h[1-6]|\/div)\b[^<>]{0,200}>/gi;
const TAGS = /<\/?[a-z][^<>]{0,2000}>/gi;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&nbsp;', ' '],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);
const ENTITY = /&(?:nbsp|lt|gt|quot|#39|amp);/g;
export const VARIABLE = /\{\{\s{0,20}([^{}\s][^{}]{0,200})\}\}/g;

/** A text of the editor, which writes HTML, as plain text. */
export function plainText(html: string): string {
  const text = html.includes('<') ? html.replace(BREAKS, '\n').replace(TAGS, '') : html;
  return text.replace(ENTITY, (entity) => ENTITIES.get(entity) ?? entity).trim();
}

/** A text as the ledger compares it: what is written, without its variables. */
export function readTemplate(text: string): TextReading {
  const pieces = plainText(text)
    .split(/\{\{[^{}]{0,220}\}\}/)
    .flatMap((piece) => piece.split('\n'));
  return { pieces, computed: /\{\{[^{}]{0,220}\}\}/.test(text) };
}

/** True for what a step is given anyway: the question of the run, or the text of a step before it. */
function isInput(name: string, element: Element, doc: ElementDocument): boolean {
  if (name === 'question') return true;
  return doc.wires.some(({ source, target }) => target === element.id && source === name);
}

/** A text with its variables taken out, and what that means. */
export interface Prompt {
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** Joins the texts of a prompt; variables that only pass the input on are left out. */
export function readPrompt(
  element: Element,
  doc: ElementDocument,
  texts: readonly string[],
): Prompt {
  const passed = new Set<string>();
  const computed = new Set<string>();
  const written = texts.map((text) =>
    plainText(text).replace(VARIABLE, (whole: string, raw: string) => {
      const name = raw.trim();
      const isPassed = isInput(name, element, doc);
      (isPassed ? passed : computed).add(whole);
      return isPassed ? '' : `[${name}]`;
    }),
  );
  const { ref, title } = element;
  const losses: Loss[] = [];
  if (computed.size > 0) {
    const detail = `The prompt of "${title}" takes values of the source (${[...computed].join(', ')}); the draft has a marker in their place.`;
    losses.push({ ref, kind: 'expression', detail, about: 'prompt' });
  }
  if (passed.size > 0) {
    const detail = `The prompt of "${title}" embeds its input (${[...passed].join(', ')}); the draft gives the whole input to the step instead.`;
    const todo = 'Check that the prompt reads well with the input after it.';
    losses.push({ ref, kind: 'carried_as', severity: 'manual', detail, todo, about: 'prompt' });
  }
  return { text: written.filter((text) => text.trim() !== '').join('\n\n'), losses };
}
