/** A piece of a template: text as it is, or the inside of `{{ … }}`. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly body: string };

/** Splits a template at its `{{ … }}`; the first `}}` ends an expression. Linear in the text. */
export function splitTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  const text = (from: number, to: number): void => {
    if (to > from) parts.push({ kind: 'text', text: template.slice(from, to) });
  };
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    const close = open < 0 ? -1 : template.indexOf('}}', open + 2);
    if (close < 0) break;
    text(at, open);
    parts.push({ kind: 'expression', body: template.slice(open + 2, close).trim() });
    at = close + 2;
  }
  text(at, template.length);
  return parts;
}
