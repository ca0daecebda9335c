/** A span of a line that is no plain text: code, a link, or words that are stressed. */
const SPAN =
  /(?<!`)`([^`\n]+)`(?!`)|(?<!!)\[([^[\]()`*_~<\n]+)\]\(([^\s()[\]<>"'`*]+)\)|(\*\*|__|\*|_)(?!\s)([^*_`[\]\n]+)(?<!\s)\4(?![*_])/g;
const SIGNS = /[`*_[\]]/;
const DOTS = '...';
const LONE_AMPERSAND = /&(?!#?[xX]?(?:[0-9a-fA-F]+|\w+);)/g;

function withDots(text: string): string {
  return text.includes(DOTS) ? text.replaceAll(DOTS, '…') : text;
}

function writtenPlain(text: string): string {
  return withDots(text.includes('&') ? text.replaceAll(LONE_AMPERSAND, '&amp;') : text);
}

function written([, code, label, url, mark, words = '']: RegExpExecArray): string | null {
  if (code !== undefined) return `<code>${code.trim().replaceAll('&', '&amp;')}</code>`;
  if (label !== undefined && url !== undefined)
    return url.includes(DOTS) ? null : `<a href="${url}">${withDots(label)}</a>`;
  const name = mark?.length === 2 ? 'strong' : 'em';
  return `<${name}>${withDots(words)}</${name}>`;
}

/**
 * What Showdown makes of the words of a block; null where a sign in them is more than code in
 * single quotes, an inline link, or stressed words beside one another.
 */
export function plainSpans(text: string): string | null {
  if (!SIGNS.test(text)) return writtenPlain(text);
  let html = '';
  let at = 0;
  SPAN.lastIndex = 0;
  for (let span = SPAN.exec(text); span !== null; span = SPAN.exec(text)) {
    const before = text.slice(at, span.index);
    const made = written(span);
    if (made === null || SIGNS.test(before)) return null;
    html += writtenPlain(before) + made;
    at = SPAN.lastIndex;
  }
  const rest = text.slice(at);
  return SIGNS.test(rest) ? null : html + writtenPlain(rest);
}
