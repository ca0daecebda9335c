import { isObject } from '../../kernel/json.ts';

const GAPS = { item: ', ', member: ': ' };

/** A value as JSON with a space behind commas and colons, as Dify writes objects and lists into texts. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(GAPS.item)}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}${GAPS.member}${spacedJson(item)}`,
  );
  return `{${members.join(GAPS.item)}}`;
}

/** A value as it stands in a text; what is not there is nothing. */
export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length === 0) return '';
  return spacedJson(value);
}

/** The texts of a list, such as a selector; anything else in it is left out. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The objects of a list. */
export function objectsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The value of a text that holds JSON; undefined for another one. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
