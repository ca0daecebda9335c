const INTEGER = /^[-+]?[0-9]+(?:_[0-9]+)*(?:\.0+)?$/;
const NUMBER =
  /^[-+]?(?:[0-9]+(?:_[0-9]+)*(?:\.(?:[0-9]+(?:_[0-9]+)*)?)?|\.[0-9]+(?:_[0-9]+)*)(?:[eE][-+]?[0-9]+)?$/;
const TRUE = new Set(['true', 'yes', 'on', 't', 'y', '1']);
const FALSE = new Set(['false', 'no', 'off', 'f', 'n', '0']);

/** An integer as written leniently: `5`, `5.0`, `"5"`, `true` (spec-v1 4). */
export function lenientInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string' || !INTEGER.test(value.trim())) return undefined;
  const read = Number(value.trim().replaceAll('_', ''));
  return Number.isSafeInteger(read) ? read : undefined;
}

/** A finite number as written leniently: `0.5`, `"0.5"`, `true` (spec-v1 4). */
export function lenientNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string' || !NUMBER.test(value.trim())) return undefined;
  const read = Number(value.trim().replaceAll('_', ''));
  return Number.isFinite(read) ? read : undefined;
}

/** A boolean as written leniently: `true`, `"yes"`, `"off"`, `1`, `0` (spec-v1 4). */
export function lenientBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1) return true;
  if (value === 0) return false;
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase();
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : undefined;
}
