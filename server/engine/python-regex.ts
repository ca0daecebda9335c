const INLINE_FLAGS = /^\(\?([aiLmsux]+)\)/;

function translate(pattern: string): string {
  return pattern
    .replace(/\(\?P<([A-Za-z_]\w*)>/g, '(?<$1>')
    .replace(/\(\?P=([A-Za-z_]\w*)\)/g, '\\k<$1>')
    .replace(/(^|[^\\])((?:\\\\)*)\\A/g, '$1$2(?<![\\s\\S])')
    .replace(/(^|[^\\])((?:\\\\)*)\\Z/g, '$1$2(?![\\s\\S])');
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Escapes such as `\-` or `\_` are legal in the authors' dialect and only refused in unicode mode.
    return new RegExp(source, flags);
  }
}

/**
 * A guardrail pattern as authors write it (named groups `(?P<n>…)`, `\A`, `\Z`, leading `(?i)`).
 * @throws SyntaxError when it is no regular expression.
 */
export function guardrailPattern(pattern: string): RegExp {
  const inline = INLINE_FLAGS.exec(pattern);
  const flags = [...(inline?.[1] ?? '')].filter((flag) => 'ims'.includes(flag));
  const body = inline === null ? pattern : pattern.slice(inline[0].length);
  return compile(translate(body), [...new Set(flags)].join(''));
}
