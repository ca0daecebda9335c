/** A part of a template: a text, or what stands between `{{` and `}}`. */
export type TemplatePart = { readonly text: string } | { readonly code: string };

/**
 * Splits a template as the source does: the first `}}` ends an expression, also inside of a text of
 * it; a `{{` after a backslash is text; an expression that is not closed goes to the end.
 */
export function splitTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = '';
  for (let at = 0; at < template.length; ) {
    const open = template.indexOf('{{', at);
    if (open < 0) {
      text += template.slice(at);
      break;
    }
    if (template[open - 1] === '\\' && open > at) {
      text += `${template.slice(at, open - 1)}{{`;
      at = open + 2;
      continue;
    }
    text += template.slice(at, open);
    if (text !== '') parts.push({ text });
    text = '';
    const close = template.indexOf('}}', open + 2);
    const end = close < 0 ? template.length : close;
    parts.push({ code: template.slice(open + 2, end) });
    at = close < 0 ? end : end + 2;
  }
  if (text !== '') parts.push({ text });
  return parts;
}
