import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';

// Templates of Jinja. The library interprets them and has values of its own, so that none of them
// has a prototype; filters that it lacks, and how Python writes values, are added to its tree.

/** A value of the template as plain data. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: { value: unknown }) => plain(one.value));
  if (!(value instanceof Map)) return value;
  const entries = [...(value as Map<string, { value: unknown }>)];
  return Object.fromEntries(entries.map(([key, one]) => [key, plain(one.value)]));
}

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return mark + (mark === "'" ? inside.replaceAll("'", "\\'") : inside) + mark;
}

/** A value as Python writes it into a text; `isInside` says that it is a part of another one. */
function written(value: unknown, isInside = false): string {
  if (value === null) return 'None';
  if (value === undefined) return isInside ? 'None' : '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return isInside ? quoted(value) : value;
  if (Array.isArray(value)) return `[${value.map((one) => written(one, true)).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).map(
    ([key, one]) => `${quoted(key)}: ${written(one, true)}`,
  );
  return `{${members.join(', ')}}`;
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...value];
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function lengthOf(value: unknown): number {
  return listOf(value).length;
}

function attribute(value: unknown, name: unknown): unknown {
  let at = value;
  for (const key of String(name).split('.')) at = (at as Record<string, unknown> | null)?.[key];
  return at;
}

function rounded(value: unknown, digits: unknown, method: unknown): number {
  const scale = 10 ** Number(digits ?? 0);
  const scaled = Number(value) * scale;
  if (method === 'ceil') return Math.ceil(scaled) / scale;
  if (method === 'floor') return Math.floor(scaled) / scale;
  const floor = Math.floor(scaled);
  const isTie = scaled - floor === 0.5;
  return (isTie ? floor + (floor % 2) : Math.round(scaled)) / scale;
}

function shortened(value: unknown, length: unknown, whole: unknown, end: unknown): string {
  const text = String(value);
  const [most, tail] = [Number(length ?? 255), String(end ?? '...')];
  if (text.length <= most + 5) return text;
  const cut = text.slice(0, most - tail.length);
  const space = cut.lastIndexOf(' ');
  return (whole === true || space < 0 ? cut : cut.slice(0, space)) + tail;
}

const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function parted(value: unknown, size: unknown, fill: unknown): unknown[][] {
  const list = listOf(value);
  const count = Math.max(1, Number(size));
  const rows: unknown[][] = [];
  for (let at = 0; at < list.length; at += count) rows.push(list.slice(at, at + count));
  const last = rows.at(-1);
  while (fill !== undefined && last !== undefined && last.length < count) last.push(fill);
  return rows;
}

function compared(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [String(one).toLowerCase(), String(other).toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}

function grouped(value: unknown, name: unknown): unknown[] {
  const list = listOf(value).toSorted((one, other) =>
    compared(attribute(one, name), attribute(other, name)),
  );
  const groups = Map.groupBy(list, (one) => attribute(one, name));
  return [...groups].map(([grouper, items]) => ({ grouper, list: items, 0: grouper, 1: items }));
}

type Filter = (value: unknown, ...given: readonly unknown[]) => unknown;

/** Filters of Jinja that the library has none of. */
const FILTERS: Readonly<Record<string, Filter>> = {
  batch: parted,
  center: (value, width) => {
    const text = String(value);
    const left = Math.floor((Number(width ?? 80) - text.length) / 2);
    return text.padStart(text.length + Math.max(0, left)).padEnd(Number(width ?? 80));
  },
  count: lengthOf,
  e: (value) => String(value).replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark),
  groupby: grouped,
  max: (value) => listOf(value).toSorted(compared).at(-1),
  min: (value) => listOf(value).toSorted(compared)[0],
  pprint: (value) => written(value, true),
  round: rounded,
  striptags: (value) =>
    String(value)
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  sum: (value, name, start) =>
    listOf(value).reduce(
      (sum: number, one) => sum + Number(name === undefined ? one : attribute(one, name)),
      Number(start ?? 0),
    ),
  truncate: shortened,
  urlencode: (value) => encodeURIComponent(String(value)).replaceAll('%2F', '/'),
  wordcount: (value) => (String(value).match(/[\p{L}\p{N}_]+/gu) ?? []).length,
};
const ALIASES: Readonly<Record<string, string>> = { d: 'default', escape: 'e', forceescape: 'e' };
const FILTER = '$filter_';
const WRITE = '$write';
/** Statements; anything else in a block is written. */
const SILENT = new Set([
  ...['If', 'For', 'Set', 'Macro', 'Break', 'Continue', 'Comment', 'CallStatement'],
  ...['FilterStatement', 'StringLiteral', 'Program'],
]);

interface Tree {
  readonly type: string;
  readonly [member: string]: unknown;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function called(name: string, args: readonly unknown[]): Tree {
  return { type: 'CallExpression', callee: { type: 'Identifier', value: name }, args };
}

/** A filter that the library lacks becomes a call. */
function withFilters(tree: Tree): Tree {
  const { type, operand, filter } = tree;
  if (type !== 'FilterExpression' || !isTree(filter)) return tree;
  const name = filter.type === 'CallExpression' ? filter['callee'] : filter;
  const written = isTree(name) ? String(name['value']) : '';
  const known = ALIASES[written] ?? written;
  if (Object.hasOwn(FILTERS, known)) {
    const given = filter['args'];
    return called(FILTER + known, [operand, ...(Array.isArray(given) ? (given as unknown[]) : [])]);
  }
  if (known === written || !isTree(name)) return tree;
  const renamed = { ...name, value: known };
  return { ...tree, filter: name === filter ? renamed : { ...filter, callee: renamed } };
}

function rewritten(value: unknown, isBlock = false): unknown {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => {
      const made = rewritten(one);
      return isBlock && isTree(made) && !SILENT.has(made.type) ? called(WRITE, [made]) : made;
    });
  }
  if (value instanceof Map) {
    return new Map([...value].map(([key, one]) => [rewritten(key), rewritten(one)]));
  }
  if (!isTree(value)) return value;
  const members = Object.entries(value).map(([key, one]) => {
    const holdsBlock = ['body', 'alternate', 'defaultBlock'].includes(key);
    return [key, rewritten(one, holdsBlock)] as const;
  });
  return withFilters(Object.fromEntries(members) as Tree);
}

const AS_IT_IS = new Set(['FloatValue', 'IntegerValue', 'StringValue', 'FunctionValue']);

/** The keyword arguments of a call stand behind the others. */
function inPlace(name: string, given: readonly unknown[]): readonly unknown[] {
  const last = given.at(-1);
  if (typeof last !== 'object' || last === null || Array.isArray(last)) return given;
  const named = last as Record<string, unknown>;
  const order = KEYWORDS[name] ?? [];
  const keys = Object.keys(named);
  if (given.length < 2 || keys.length === 0 || keys.some((key) => !order.includes(key)))
    return given;
  const [value, ...places] = given.slice(0, -1);
  return [value, ...order.map((key, at) => places[at] ?? named[key])];
}

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  batch: ['linecount', 'fill_with'],
  center: ['width'],
  groupby: ['attribute'],
  round: ['precision', 'method'],
  sum: ['attribute', 'start'],
  truncate: ['length', 'killwords', 'end'],
};

const MOST_STEPS = 1_000_000;

/** The library's own nothing has the value of what is not defined. */
function asNone(args: readonly { readonly type: string }[]): { type: string; value?: unknown }[] {
  return args.map((one) => (one.type === 'NullValue' ? { ...one, value: null } : one));
}

function environmentOf(values: object): Environment {
  const env = new Environment();
  const constants = { true: true, false: false, none: null, True: true, False: false, None: null };
  for (const [name, value] of Object.entries({ ...constants, ...values })) env.set(name, value);
  env.set('range', (...given: number[]) => {
    const [start, stop = start, step = 1] = given.length > 1 ? given : [0, given[0]];
    const list: number[] = [];
    if (start === undefined || stop === undefined || step === 0)
      throw new Error('range() needs numbers');
    for (let at = start; step > 0 ? at < stop : at > stop; at += step) {
      if (list.length >= MOST_STEPS) throw new Error(`range() has more than ${MOST_STEPS} numbers`);
      list.push(at);
    }
    return list;
  });
  for (const [name, filter] of Object.entries(FILTERS))
    env.set(FILTER + name, (...given: unknown[]) => {
      const [value, ...more] = inPlace(name, given.map(plain));
      return filter(value, ...more);
    });
  const write = env.set(WRITE, (value: unknown) => written(plain(value)));
  if (write.type === 'FunctionValue') {
    const { value: made } = write as {
      value: (args: { type: string }[], scope: unknown) => unknown;
    };
    Object.assign(write, {
      value: (args: { type: string }[], scope: unknown) =>
        AS_IT_IS.has(args[0]?.type ?? '') ? args[0] : made(asNone(args), scope),
    });
  }
  return env;
}

/** A template with the members of an object as its variables. */
export function renderTemplate(text: string, values: unknown): string {
  const tree = rewritten(parse(tokenize(text)));
  const interpreter = new Interpreter(environmentOf(values ?? {}));
  return String(interpreter.run(tree as Parameters<Interpreter['run']>[0]).value);
}
