import { type Expression, parseExpressionAt } from 'acorn';

/** The text is no JSON, and no object of JavaScript either. */
export class NoJson extends Error {
  override readonly name = 'NoJson';
}

const CONTROLS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const LONGEST_LOOSE = 1_000_000;

function keyOf(key: { type: string; name?: unknown; value?: unknown }): string {
  return String(key.type === 'Identifier' ? key.name : key.value);
}

function plainValue(node: Expression): unknown {
  switch (node.type) {
    case 'Literal':
      return node.value;
    case 'ArrayExpression':
      return node.elements.map((part) =>
        part === null || part.type === 'SpreadElement' ? null : plainValue(part),
      );
    case 'ObjectExpression': {
      const entries = node.properties.map((part) => {
        if (part.type !== 'Property' || part.computed) throw new NoJson();
        return [keyOf(part.key), plainValue(part.value)] as const;
      });
      return Object.fromEntries(entries);
    }
    case 'UnaryExpression': {
      const inner = plainValue(node.argument);
      if (node.operator !== '-' || typeof inner !== 'number') throw new NoJson();
      return -inner;
    }
    case 'Identifier':
      if (node.name !== 'undefined' && node.name !== 'NaN') throw new NoJson();
      return null;
    default:
      throw new NoJson();
  }
}

/** Line breaks inside of texts, which JSON wants escaped; a text that nothing closes is left. */
function escapedInside(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\[\s\S])*("?)/g, (part, end: string) =>
    end === '' ? part : part.replaceAll(/[\n\r\t]/g, (letter) => CONTROLS[letter] ?? letter),
  );
}

/**
 * Reads JSON as the source does: single quotes, names without quotes, commas at the end and line
 * breaks inside of texts are accepted.
 * @throws NoJson
 */
export function parseLoosely(text: string): unknown {
  for (const attempt of [() => text, () => escapedInside(text)]) {
    try {
      return JSON.parse(attempt()) as unknown;
    } catch {
      // The next reading may accept it.
    }
  }
  if (text.length > LONGEST_LOOSE) throw new NoJson();
  try {
    const escaped = escapedInside(text.trim());
    const node = parseExpressionAt(`(${escaped})`, 0, { ecmaVersion: 'latest' });
    if (node.end < escaped.length) throw new NoJson();
    return plainValue(node);
  } catch {
    throw new NoJson();
  }
}
