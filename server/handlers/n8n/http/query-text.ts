/** How lists are written in a query. */
export type ListStyle = 'indices' | 'brackets' | 'repeat';

/** A text as it stands in a query or a form. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function* pairsOf(name: string, value: unknown, style: ListStyle): Generator<[string, string]> {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null) {
    yield [name, value === null ? '' : String(value)];
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    const isList = Array.isArray(value);
    const repeated = style === 'repeat' ? name : `${name}[]`;
    yield* pairsOf(isList && style !== 'indices' ? repeated : `${name}[${key}]`, inner, style);
  }
}

/** Names and values as a query or a form, what is inside of them with brackets. */
export function queryText(values: Readonly<Record<string, unknown>>, style: ListStyle): string {
  return Object.entries(values)
    .flatMap(([name, value]) => [...pairsOf(name, value, style)])
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&');
}

/** An address with a query behind the one that it has. */
export function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const [address = ''] = url.split('#');
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}
