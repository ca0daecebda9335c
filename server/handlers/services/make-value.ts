import { DateTime } from 'luxon';
import type { Item, JsonObject } from '../../items/item.ts';
import { isObject, setOwn } from '../../kernel/json.ts';
import { unmasked } from '../../services/find-row.ts';
import { isOp, type Reading, type Template, type TemplateOp } from '../../services/template.ts';
import { getPath } from '../n8n/field-path.ts';
import { FieldFailure } from '../n8n/fields.ts';
import { bytesOf, fileNamed } from '../n8n/files/file-reference.ts';
import type { FormField } from '../n8n/http/settings.ts';
import { MAKERS } from './makers.ts';

/** Where a template reads. */
export interface Surroundings {
  /** The value of a setting, by names with dots. */
  readonly setting: (path: string) => unknown;
  readonly item: Item;
  /** What `@` names: answers, the item, the credential's secret. */
  readonly around: JsonObject;
  /** IANA name of the zone of moments without one. */
  readonly zone: string;
}

/** A file of the item that stands in a form. */
export class FilePart {
  readonly name: string;
  readonly fileName: string | undefined;

  constructor(name: string, fileName: string | undefined) {
    this.name = name;
    this.fileName = fileName;
  }

  /** It as a field of a form. */
  under(name: string): FormField {
    const { fileName } = this;
    return { name, file: this.name, ...(fileName === undefined ? {} : { fileName }) };
  }
}

function moment(value: unknown, path: string, zone: string): DateTime {
  const read =
    typeof value === 'number'
      ? DateTime.fromMillis(value, { zone })
      : DateTime.fromISO(String(value).trim().replace(' ', 'T'), { zone });
  if (!read.isValid) throw new FieldFailure(`The setting '${path}' is no moment: ${String(value)}`);
  return read;
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return String(value)
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function jsonIn(value: unknown, path: string): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new FieldFailure(`The setting '${path}' is no JSON`);
  }
}

const READ: Readonly<Record<Reading, (value: unknown, path: string, zone: string) => unknown>> = {
  text: (value) => (isObject(value) ? JSON.stringify(value) : String(value)),
  number: (value, path) => {
    const read = Number(value);
    if (Number.isNaN(read)) throw new FieldFailure(`The setting '${path}' is no number: ${value}`);
    return read;
  },
  boolean: (value) => value === true || value === 'true',
  json: jsonIn,
  list: listOf,
  joined: (value) => listOf(value).join(','),
  iso: (value, path, zone) => moment(value, path, zone).toUTC().toISO(),
  seconds: (value, path, zone) => Math.floor(moment(value, path, zone).toSeconds()),
  milliseconds: (value, path, zone) => moment(value, path, zone).toMillis(),
  day: (value, path, zone) => moment(value, path, zone).toISODate(),
  name: (value) => String(value).replace(/\|[^|]*$/, ''),
  kind: (value) => /\|([^|]*)$/.exec(String(value))?.[1] ?? '',
  base64: (value) => new TextEncoder().encode(String(value)).toBase64(),
  quoted: (value) => JSON.stringify(String(value)),
};

/** What a locator names: its value, or the identifier in the address that it is. */
function located(value: unknown, path: string, url: string | undefined): unknown {
  if (!isObject(value) || value['__rl'] !== true) return value;
  const { mode, value: named } = value;
  if (mode !== 'url' || url === undefined || named === '') return named;
  const [, id] = new RegExp(url).exec(String(named)) ?? [];
  if (id === undefined)
    throw new FieldFailure(`The setting '${path}' is no address of one: ${String(named)}`);
  return id;
}

function membersOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return isNothing(value) || value === '';
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Makes values of templates for one item. */
export class Maker {
  readonly #where: Surroundings;

  constructor(where: Surroundings) {
    this.#where = where;
  }

  /** @throws FieldFailure, or a StepFailure when an expression in what it reads failed */
  make(template: Template): unknown {
    if (typeof template === 'string') return this.#text(template);
    if (typeof template !== 'object' || template === null) return template;
    if (isOp(template)) return this.#op(template);
    if (Array.isArray(template))
      return template.map((one: Template) => this.make(one)).filter((one) => one !== undefined);
    const out: JsonObject = {};
    for (const [name, one] of Object.entries(template)) {
      const value = this.make(one);
      if (value !== undefined) setOwn<unknown>(out, name, value);
    }
    return out;
  }

  /** An object; empty where the template makes none. */
  object(template: Template): JsonObject {
    const made = this.make(template);
    return isObject(made) ? made : {};
  }

  /** A text whose braces are filled, each value written by `write`. */
  filled(text: string, write: (value: string) => string = (value) => value): string {
    return text.replaceAll(/\{([^{}|]+)(?:\|([^{}]*))?\}/g, (_, name: string, or = '') => {
      const value = this.#text(name.startsWith('@') ? name : `$${name}`);
      const said = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
      return write(isNothing(said) ? String(or) : String(said));
    });
  }

  #text(text: string): unknown {
    if (text.startsWith('$')) return this.#read(text.slice(1));
    if (text.startsWith('@')) return getPath(this.#where.around, text.slice(1).split('.'));
    return text;
  }

  #read(path: string): unknown {
    if (path.startsWith('@')) return this.#text(path);
    return located(this.#where.setting(path), path, undefined);
  }

  #op(op: TemplateOp): unknown {
    switch (op.$) {
      case 'get':
        return this.#get(op);
      case 'joined': {
        const list = this.make(op.list);
        const isThere = Array.isArray(list) && list.length > 0;
        return isThere ? op.open + list.join(op.by) + op.close : undefined;
      }
      case 'picked':
        return this.#picked(op);
      case 'some': {
        const given = this.make(op.give);
        return isEmpty(given) ? undefined : given;
      }
      case 'made':
        return MAKERS[op.by](this.make(op.of));
      case 'each':
        return this.#list(op.path, op.as)?.map((maker) => maker.make(op.give));
      case 'pairs': {
        const out: JsonObject = {};
        for (const maker of this.#list(op.path) ?? []) {
          const value = maker.make(op.value);
          if (value !== undefined) setOwn<unknown>(out, String(maker.make(op.name) ?? ''), value);
        }
        return out;
      }
      case 'within':
        return this.#below((path) => this.#where.setting(`${op.path}.${path}`)).make(op.give);
      case 'merged':
        return Object.assign({}, ...op.parts.map((part) => this.make(part))) as JsonObject;
      case 'choice':
        return this.#choice(op);
      case 'fill':
        return this.filled(op.text);
      case 'file':
        return this.#file(op);
    }
  }

  #get({ path, or, as, filled, url }: Extract<TemplateOp, { $: 'get' }>): unknown {
    const given = path.startsWith('@')
      ? this.#text(path)
      : located(this.#where.setting(path), path, url);
    if (isNothing(given) || (filled === true && given === '')) return this.make(or);
    return this.#as(given, path, as);
  }

  #as(given: unknown, path: string, as: Reading | undefined): unknown {
    return as === undefined ? given : READ[as](given, path, this.#where.zone);
  }

  #choice({ path, or, of, as }: Extract<TemplateOp, { $: 'choice' }>): unknown {
    const given = this.#read(path);
    const said =
      isNothing(given) || given === '' ? or : unmasked(String(this.#as(given, path, as)));
    if (Object.hasOwn(of, said)) return this.make(of[said]);
    throw new FieldFailure(`The setting '${path}' cannot be '${said}' here`);
  }

  #file({ path, or, give, fileName }: Extract<TemplateOp, { $: 'file' }>): unknown {
    const name = String(this.#read(path) ?? or);
    const file = fileNamed(this.#where.item, name);
    if (give === 'base64') return bytesOf(file).toBase64();
    if (give === 'data_url') return `data:${file.mimeType};base64,${bytesOf(file).toBase64()}`;
    const named = this.make(fileName);
    return new FilePart(name, isNothing(named) || named === '' ? undefined : String(named));
  }

  #picked({ from, only, not = [] }: Extract<TemplateOp, { $: 'picked' }>): JsonObject {
    const names = only === undefined ? undefined : listOf(this.#read(only) ?? []).map(String);
    const all = Object.entries(this.object(from));
    return Object.fromEntries(
      all.filter(([name]) => !not.includes(name) && (names?.includes(name) ?? true)),
    );
  }

  #list(path: string, as?: 'list'): readonly Maker[] | undefined {
    const found = this.#read(path);
    if (isNothing(found)) return undefined;
    const members = as === undefined ? membersOf(found) : listOf(found);
    return members.map((member) =>
      this.#below((inside) => (inside === '' ? member : getPath(member, inside.split('.')))),
    );
  }

  #below(setting: Surroundings['setting']): Maker {
    return new Maker({ ...this.#where, setting });
  }
}
