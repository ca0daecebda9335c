import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import type { MakerName } from '../../services/template.ts';

function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function plainText(value: unknown): string {
  return objectsIn(value)
    .map(({ plain_text: text }) => String(text ?? ''))
    .join('');
}

function nameIn(value: unknown): unknown {
  return isObject(value) ? (value['name'] ?? null) : null;
}

const TEXTS = new Set(['title', 'rich_text']);
const NAMED = new Set(['select', 'status']);

function addressIn(file: Record<string, unknown>): unknown {
  const kind = isObject(file['external']) ? file['external'] : file['file'];
  return isObject(kind) ? kind['url'] : undefined;
}

const LISTED: Readonly<Record<string, (one: Record<string, unknown>) => unknown>> = {
  multi_select: ({ name }) => name,
  relation: ({ id }) => id,
  files: addressIn,
  people: ({ person, id }) => (isObject(person) ? (person['email'] ?? id) : id),
};

/** What a property of a page says, without the form around it. */
function propertyValue(property: Record<string, unknown>): unknown {
  const type = String(property['type'] ?? '');
  const value = property[type];
  if (TEXTS.has(type)) return plainText(value);
  if (NAMED.has(type)) return nameIn(value);
  const one = LISTED[type];
  if (one !== undefined) return objectsIn(value).map(one);
  if (type === 'formula' && isObject(value)) return value[String(value['type'] ?? '')] ?? null;
  if (type === 'rollup' && isObject(value)) {
    const inside = value[String(value['type'] ?? '')];
    return Array.isArray(inside) ? objectsIn(inside).map(propertyValue) : (inside ?? null);
  }
  return value ?? null;
}

function snake(name: string): string {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join('_')
    .toLowerCase();
}

function plainPage(page: unknown): unknown {
  if (!isObject(page)) return page;
  const { id, url, icon, cover, properties, title } = page;
  if (page['object'] === 'database') return { id, name: plainText(title), url };
  const own = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, one]) =>
    isObject(one) ? [{ name, type: one['type'], value: propertyValue(one) }] : [],
  );
  const named = own.find(({ type }) => type === 'title')?.value ?? '';
  const plain: JsonObject = { id, name: named, url };
  if (icon) plain['icon'] = isObject(icon) ? (icon['emoji'] ?? addressIn(icon)) : icon;
  if (cover) plain['cover'] = isObject(cover) ? addressIn(cover) : cover;
  for (const { name, value } of own) plain[`property_${snake(name)}`] = value;
  return plain;
}

/** What a template cannot make, by the name under which rows ask for it. */
export const MAKERS: Readonly<Record<MakerName, (value: unknown) => unknown>> = {
  /** A page or a database of Notion, or a list of them, with plain members. */
  notionPage: (value) => (Array.isArray(value) ? value.map(plainPage) : plainPage(value)),
};
