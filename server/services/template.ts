// How a row of a service says what is sent and what comes out: values made of settings.

/** What a setting is read as before it is sent. */
export type Reading =
  | 'text'
  | 'number'
  | 'boolean'
  /** JSON written as text, or what an expression gave. */
  | 'json'
  /** Texts with commas between them as a list. */
  | 'list'
  /** A list as a text with commas. */
  | 'joined'
  /** A moment as ISO 8601 in UTC, as seconds or as milliseconds since 1970. */
  | 'iso'
  | 'seconds'
  | 'milliseconds'
  | 'day'
  /** What stands before and behind the bar in `Name|kind`. */
  | 'name'
  | 'kind'
  /** The text in base64 of its UTF-8, or in quotes as JSON has it. */
  | 'base64'
  | 'quoted';

/** The value of a setting. */
interface Get {
  readonly $: 'get';
  readonly path: string;
  /** What it is where the export leaves it out. */
  readonly or?: Template;
  readonly as?: Reading;
  /** An empty text counts as left out. */
  readonly filled?: true;
  /** Finds the identifier in an address: a pattern with one group. */
  readonly url?: string;
}

/** A list: for each member of a setting's list, a value made of that member. */
interface Each {
  readonly $: 'each';
  readonly path: string;
  /** A text is a list of texts with commas between; `$` is the member. */
  readonly as?: 'list';
  readonly give: Template;
}

/** An object made of a list of pairs. */
interface Pairs {
  readonly $: 'pairs';
  readonly path: string;
  readonly name: Template;
  readonly value: Template;
}

/** A value made of the settings below another one. */
interface Within {
  readonly $: 'within';
  readonly path: string;
  readonly give: Template;
}

/** Objects as one: later members win. */
interface Merged {
  readonly $: 'merged';
  readonly parts: readonly Template[];
}

/** One of several values, by what a setting says. */
interface Choice {
  readonly $: 'choice';
  readonly path: string;
  readonly or: string;
  readonly of: Readonly<Record<string, Template>>;
  readonly as?: Reading;
}

/** A list as one text; nothing when it is empty. */
interface Joined {
  readonly $: 'joined';
  readonly list: Template;
  readonly by: string;
  /** They stand around it. */
  readonly open: string;
  readonly close: string;
}

/** Some members of an object: those that a setting lists, or all but these. */
interface Picked {
  readonly $: 'picked';
  readonly from: Template;
  readonly only?: string;
  readonly not?: readonly string[];
}

/** A value that is left out where it is an empty object, list or text. */
interface Some {
  readonly $: 'some';
  readonly give: Template;
}

/** A value that a function of the program makes (`handlers/services/makers.ts`). */
interface Made {
  readonly $: 'made';
  readonly by: MakerName;
  readonly of: Template;
}

/** The functions that make what no template can. */
export type MakerName = 'notionPage';

/** A text with settings in braces. */
interface Fill {
  readonly $: 'fill';
  readonly text: string;
}

/** A file of the item, whose name there a setting says. */
interface FileOf {
  readonly $: 'file';
  readonly path: string;
  readonly or: string;
  /** The part of a form, with the file's name there; or its content in base64. */
  readonly give: 'part' | 'base64' | 'data_url';
  readonly fileName?: Template;
}

export type TemplateOp =
  | Get
  | Each
  | Pairs
  | Within
  | Merged
  | Choice
  | Fill
  | FileOf
  | Joined
  | Picked
  | Some
  | Made;

/**
 * A value to be made. A text that begins with `$` is the setting of that name (`$chat.id`), one that
 * begins with `@` is read from what surrounds it (`@answer.result`, `@before.0`, `@item`); every
 * other text is itself. Members without a value are left out.
 */
export type Template =
  | string
  | number
  | boolean
  | null
  | undefined
  | TemplateOp
  | readonly Template[]
  | { readonly [name: string]: Template; readonly $?: never };

/** True for a template that is computed by its own rule. */
export function isOp(template: Extract<Template, object>): template is TemplateOp {
  return '$' in template;
}

/** A setting with more to say of it than its name. */
export function get(path: string, how: Omit<Get, '$' | 'path'> = {}): Get {
  return { $: 'get', path, ...how };
}

/** A setting that is left out where it is empty. */
export function filled(path: string, as?: Reading): Get {
  return { $: 'get', path, filled: true, ...(as === undefined ? {} : { as }) };
}

/** Settings that are sent under their own names. */
export function same(...names: readonly string[]): Record<string, Template> {
  return Object.fromEntries(names.map((name) => [name, `$${name}`]));
}

export function each(path: string, give: Template): Each {
  return { $: 'each', path, give };
}

/** For each of the texts that stand in a setting with commas between. */
export function eachText(path: string, give: Template): Each {
  return { $: 'each', path, give, as: 'list' };
}

export function pairs(path: string, name: Template, value: Template): Pairs {
  return { $: 'pairs', path, name, value };
}

export function joined(list: Template, by: string, open = '', close = ''): Joined {
  return { $: 'joined', list, by, open, close };
}

/** The members of an object whose names a setting lists. */
export function picked(from: Template, only: string): Picked {
  return { $: 'picked', from, only };
}

export function without(from: Template, ...not: readonly string[]): Picked {
  return { $: 'picked', from, not };
}

export function some(give: Template): Some {
  return { $: 'some', give };
}

export function made(by: MakerName, of: Template): Made {
  return { $: 'made', by, of };
}

export function fill(text: string): Fill {
  return { $: 'fill', text };
}

export function within(path: string, give: Template): Within {
  return { $: 'within', path, give };
}

export function merged(...parts: readonly Template[]): Merged {
  return { $: 'merged', parts };
}

export function choice(
  path: string,
  or: string,
  of: Readonly<Record<string, Template>>,
  as?: Reading,
): Choice {
  return { $: 'choice', path, or, of, ...(as === undefined ? {} : { as }) };
}

/** A file of the item as a part of a form. */
export function filePart(path: string, or: string, fileName?: Template): FileOf {
  return { $: 'file', path, or, give: 'part', ...(fileName === undefined ? {} : { fileName }) };
}

/** A file of the item as text: its content in base64, or as an address that holds it. */
export function fileText(path: string, or: string, give: 'base64' | 'data_url'): FileOf {
  return { $: 'file', path, or, give };
}

/** The settings that stand in braces in a text. */
export function bracesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{([^{}|]+)(?:\|[^{}]*)?\}/g)].map(([, name = '']) => name);
}
