import type { Row, Service, ServiceRequest } from './service.ts';
import { bracesIn, isOp, type Template, type TemplateOp } from './template.ts';

/** What a row takes of a setting. */
export interface Taken {
  /** Any JSON; otherwise a plain value, a locator or a list of plain values. */
  readonly anything: boolean;
  /** The identifier is found in an address as well. */
  readonly byUrl: boolean;
  /** The only values, where the row is written for some. */
  readonly values: ReadonlySet<string> | undefined;
  /** The values are what stands behind the bar. */
  readonly byKind: boolean;
}

/** Stands in a path for the members of a list. */
export const MEMBER = '*';

const PLAIN: Taken = { anything: false, byUrl: false, values: undefined, byKind: false };

/** Gathers the settings that templates read, by their path. */
class Gathering {
  readonly taken = new Map<string, Taken>();

  add(path: string, more: Taken = PLAIN): void {
    const known = this.taken.get(path);
    this.taken.set(path, {
      anything: more.anything || known?.anything === true,
      byUrl: more.byUrl || known?.byUrl === true,
      values: more.values ?? known?.values,
      byKind: more.byKind || known?.byKind === true,
    });
  }

  request(request: ServiceRequest): void {
    const { call, query, headers, json, form, multipart, bytes } = request;
    this.text(call, '');
    for (const template of [query, headers, json, form, multipart]) this.read(template, '');
    if (bytes !== undefined) this.add(bytes.path);
  }

  private text(text: string, base: string): void {
    for (const name of bracesIn(text)) if (!name.startsWith('@')) this.add(base + name);
  }

  read(template: Template, base: string): void {
    if (typeof template === 'string') {
      if (template.startsWith('$') && template !== '$') this.add(base + template.slice(1));
    } else if (typeof template === 'object' && template !== null) this.inside(template, base);
  }

  private inside(template: Extract<Template, object>, base: string): void {
    if (isOp(template)) this.computed(template, base);
    else for (const one of Object.values<Template>(template)) this.read(one, base);
  }

  private computed(template: TemplateOp, base: string): void {
    switch (template.$) {
      case 'get': {
        const anything = template.as === 'json';
        this.add(base + template.path, { ...PLAIN, anything, byUrl: template.url !== undefined });
        this.read(template.or, base);
        return;
      }
      case 'joined':
        this.read(template.list, base);
        return;
      case 'picked':
        this.read(template.from, base);
        if (template.only !== undefined) this.add(base + template.only);
        return;
      case 'some':
        this.read(template.give, base);
        return;
      case 'made':
        this.read(template.of, base);
        return;
      case 'each':
        if (template.as === 'list') this.add(base + template.path);
        this.read(template.give, below(base, `${template.path}.${MEMBER}.`));
        return;
      case 'pairs':
        for (const one of [template.name, template.value])
          this.read(one, below(base, `${template.path}.${MEMBER}.`));
        return;
      case 'within':
        this.read(template.give, below(base, `${template.path}.`));
        return;
      case 'merged':
        for (const part of template.parts) this.read(part, base);
        return;
      case 'choice': {
        const values = new Set(Object.keys(template.of));
        this.add(base + template.path, { ...PLAIN, values, byKind: template.as === 'kind' });
        for (const one of Object.values(template.of)) this.read(one, base);
        return;
      }
      case 'fill':
        this.text(template.text, base);
        return;
      case 'file':
        this.add(base + template.path);
        this.read(template.fileName, base);
    }
  }
}

/** Lists of answers hold no settings. */
function below(base: string, path: string): string {
  return path.startsWith('@') ? `@${MEMBER}.` : base + path;
}

type Known = ReadonlyMap<string, Taken>;

/** What was gathered of each row, by its service and the settings that choose it. */
const gathered = new WeakMap<Row, Map<string, Known>>();

/** The settings that a row takes, by their path; `*` stands for the members of a list. */
export function knownSettings(service: Service, row: Row, by: readonly string[]): Known {
  const ways = gathered.get(row) ?? new Map<string, Known>();
  gathered.set(row, ways);
  const way = JSON.stringify([service.type, service.versions, by]);
  const known = ways.get(way) ?? gather(service, row, by);
  ways.set(way, known);
  return known;
}

function gather(service: Service, row: Row, by: readonly string[]): Known {
  const all = new Gathering();
  for (const path of ['resource', 'operation', ...by]) all.add(path);
  if (service.authBy !== undefined) {
    const { setting, of } = service.authBy;
    all.add(setting, { ...PLAIN, values: new Set(Object.keys(of)) });
  }
  for (const path of [...(service.ignores ?? []), ...(row.ignores ?? [])])
    all.add(path, { ...PLAIN, anything: true });
  for (const [path, value] of Object.entries(row.fixed ?? {}))
    all.add(path, { ...PLAIN, values: new Set([String(value)]) });
  for (const template of Object.values(row.names ?? {})) all.read(template, '');
  for (const request of [...(row.before ?? []), row]) all.request(request);
  for (const template of [service.headers, row.answer, row.file]) all.read(template, '');
  if (row.paging !== undefined) {
    if (row.paging.all !== null) all.add(row.paging.all.setting);
    all.add(row.paging.limit.setting);
  }
  return all.taken;
}
