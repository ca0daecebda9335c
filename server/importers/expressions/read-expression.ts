import { type Expression, type MemberExpression, parseExpressionAt } from 'acorn';

/** What an expression of n8n stands for (importers 14). `path` names members from outside in. */
export type Meaning =
  | { readonly kind: 'constant'; readonly value: string }
  /** The item that the element gets. */
  | { readonly kind: 'input'; readonly path: readonly string[] }
  /** What a named element gave. */
  | { readonly kind: 'node'; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: 'joined'; readonly parts: readonly Meaning[] }
  /** A value that the calling model fills in. */
  | {
      readonly kind: 'argument';
      readonly name: string;
      readonly description: string;
      readonly type: string;
    }
  | { readonly kind: 'computed' };

const COMPUTED: Meaning = { kind: 'computed' };
const MAX_LENGTH = 4000;
const MAX_DEPTH = 60;

/** Calls that change the form of a value, not what it is. */
const SAME_VALUE: ReadonlySet<string> = new Set(['toString', 'trim', 'toJsonString']);
const ITEM_CALLS: ReadonlySet<string> = new Set(['first', 'last', 'all', 'item', 'itemMatching']);

/** An expression may name a place inside of what an element gave, in front of its `json`. */
type Place =
  | { readonly at: 'items'; readonly of: Meaning & { readonly kind: 'input' | 'node' } }
  | { readonly at: 'value'; readonly meaning: Meaning };

function isTooDeep(body: string): boolean {
  let depth = 0;
  for (const letter of body) {
    if ('([{`?'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  const words = body.replace(/\s+/g, ' ');
  return (
    /[!~+-]{60}/.test(words.replaceAll(' ', '')) ||
    /(?<!\b(?:typeof|void|new|await) )(?:\b(?:typeof|void|new|await) ){30}/.test(words)
  );
}

function literalText(node: Expression): string | undefined {
  if (node.type === 'Literal') {
    const { value } = node;
    const isPlain = typeof value === 'string' || typeof value === 'number';
    return isPlain || typeof value === 'boolean' ? String(value) : undefined;
  }
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

function memberName(node: MemberExpression): string | undefined {
  const { property } = node;
  if (!node.computed) return property.type === 'Identifier' ? property.name : undefined;
  return property.type === 'PrivateIdentifier' ? undefined : literalText(property);
}

function value(meaning: Meaning): Place {
  return { at: 'value', meaning };
}

const NOTHING = value(COMPUTED);

function extend(meaning: Meaning, name: string): Meaning {
  if (meaning.kind === 'input') return { kind: 'input', path: [...meaning.path, name] };
  if (meaning.kind !== 'node') return COMPUTED;
  return { kind: 'node', name: meaning.name, path: [...meaning.path, name] };
}

/** `.json`, `.item`, `.first` and the like on the items of an element. */
function insideItems(place: Place & { at: 'items' }, name: string): Place {
  if (name === 'json') return value(place.of);
  return ITEM_CALLS.has(name) || /^\d+$/.test(name) ? place : NOTHING;
}

function readMember(node: MemberExpression): Place {
  if (node.object.type === 'Super') return NOTHING;
  const name = memberName(node);
  if (name === undefined) return NOTHING;
  const { object } = node;
  if (object.type === 'Identifier' && object.name === '$node') {
    return { at: 'items', of: { kind: 'node', name, path: [] } };
  }
  const place = readPlace(object);
  if (place.at === 'items') return insideItems(place, name);
  return value(extend(place.meaning, name));
}

function readIdentifier(name: string): Place {
  if (name === '$json') return value({ kind: 'input', path: [] });
  if (name === '$input') return { at: 'items', of: { kind: 'input', path: [] } };
  return NOTHING;
}

function texts(list: readonly { readonly type: string }[]): (string | undefined)[] {
  return (list as readonly Expression[]).map((item) => literalText(item));
}

function readNamedCall(name: string, args: readonly Expression[]): Place {
  const [first, second, third] = texts(args);
  if (name === '$' || name === '$items') {
    const of = { kind: 'node', name: first ?? '', path: [] } as const;
    return first === undefined ? NOTHING : { at: 'items', of };
  }
  if (name === '$fromAI' && first !== undefined) {
    const description = second ?? '';
    return value({ kind: 'argument', name: first, description, type: third ?? 'string' });
  }
  const [only] = args;
  if (name === 'String' && only !== undefined) return value(read(only));
  return NOTHING;
}

function readMethod(callee: MemberExpression, args: readonly Expression[]): Place {
  const name = memberName(callee) ?? '';
  const { object } = callee;
  if (object.type === 'Super') return NOTHING;
  const isJson = object.type === 'Identifier' && object.name === 'JSON';
  const [first] = args;
  if (isJson) return name === 'stringify' && first !== undefined ? value(read(first)) : NOTHING;
  const place = readPlace(object);
  if (place.at === 'items') return ITEM_CALLS.has(name) ? place : NOTHING;
  return SAME_VALUE.has(name) && args.length === 0 ? place : NOTHING;
}

function readCall(node: Expression & { type: 'CallExpression' }): Place {
  const args = node.arguments.filter((item) => item.type !== 'SpreadElement');
  if (args.length < node.arguments.length) return NOTHING;
  const { callee } = node;
  if (callee.type === 'Identifier') return readNamedCall(callee.name, args);
  return callee.type === 'MemberExpression' ? readMethod(callee, args) : NOTHING;
}

function joined(parts: readonly Meaning[]): Meaning {
  if (parts.some((part) => part.kind === 'computed')) return COMPUTED;
  const flat = parts.flatMap((part) => (part.kind === 'joined' ? part.parts : [part]));
  const constant = flat.every((part) => part.kind === 'constant');
  if (!constant) return { kind: 'joined', parts: flat };
  const text = flat.map((part) => (part.kind === 'constant' ? part.value : '')).join('');
  return { kind: 'constant', value: text };
}

function isText(node: Expression): boolean {
  if (node.type === 'TemplateLiteral') return true;
  if (node.type === 'Literal') return typeof node.value === 'string';
  return node.type === 'BinaryExpression' && node.operator === '+' && isSum(node);
}

/** A `+` joins texts when one side is a text; between two numbers it is arithmetic. */
function isSum(node: Expression & { type: 'BinaryExpression' }): boolean {
  return (node.left.type !== 'PrivateIdentifier' && isText(node.left)) || isText(node.right);
}

function readTemplate(node: Expression & { type: 'TemplateLiteral' }): Meaning {
  const parts: Meaning[] = [];
  for (const [index, quasi] of node.quasis.entries()) {
    parts.push({ kind: 'constant', value: quasi.value.cooked ?? '' });
    const expression = node.expressions[index];
    if (expression !== undefined) parts.push(read(expression));
  }
  return joined(parts);
}

function readPlace(node: Expression): Place {
  switch (node.type) {
    case 'Identifier':
      return readIdentifier(node.name);
    case 'MemberExpression':
      return readMember(node);
    case 'CallExpression':
      return readCall(node);
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return readPlace(node.expression);
    case 'TemplateLiteral':
      return value(readTemplate(node));
    case 'BinaryExpression':
      if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') return NOTHING;
      return isSum(node) ? value(joined([read(node.left), read(node.right)])) : NOTHING;
    default: {
      const text = literalText(node);
      return text === undefined ? NOTHING : value({ kind: 'constant', value: text });
    }
  }
}

function read(node: Expression): Meaning {
  const place = readPlace(node);
  return place.at === 'value' ? place.meaning : place.of;
}

function parse(body: string): Expression | undefined {
  if (body === '' || body.length > MAX_LENGTH || isTooDeep(body)) return undefined;
  try {
    const node = parseExpressionAt(body, 0, { ecmaVersion: 2024 });
    const rest = body.slice(node.end).replace(/;\s*$/, '').trim();
    return rest === '' ? node : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reads the inside of one `{{ … }}` of n8n, which is a JavaScript expression. What does more than
 * pass a value on is `computed`, and so is text that is no expression. Never throws.
 */
export function readExpression(body: string): Meaning {
  const node = parse(body);
  return node === undefined ? COMPUTED : read(node);
}
