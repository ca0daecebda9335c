import { isObject, type JsonObject } from '../kernel/json.ts';
import { type PlatformError, platformError } from './platform-error.ts';

/** The failure of an answer whose field is not what the contract says. */
export function protocolError(what: string): PlatformError {
  return platformError({
    family: 'protocol',
    message: `The platform's answer is not of the agreed shape: ${what}.`,
  });
}

type Kind = 'boolean' | 'integer' | 'text' | 'object' | 'list';

interface KindOf {
  boolean: boolean;
  integer: number;
  text: string;
  object: JsonObject;
  list: readonly unknown[];
}

const IS: { readonly [K in Kind]: (value: unknown) => value is KindOf[K] } = {
  boolean: (value) => typeof value === 'boolean',
  integer: (value): value is number => Number.isSafeInteger(value),
  text: (value) => typeof value === 'string',
  object: (value): value is JsonObject => isObject(value),
  list: (value): value is readonly unknown[] => Array.isArray(value),
};

function typed<K extends Kind>(body: Readonly<Record<string, unknown>>, name: string, kind: K) {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!IS[kind](value)) throw protocolError(`${name} is not of type ${kind}`);
  return value;
}

function required<K extends Kind>(
  body: Readonly<Record<string, unknown>>,
  name: string,
  kind: K,
): KindOf[K] {
  const value: unknown = typed(body, name, kind);
  if (!IS[kind](value)) throw protocolError(`${name} is missing`);
  return value;
}

type Source = Readonly<Record<string, unknown>>;

/** The field as a boolean. @throws PlatformError `protocol` when absent, null or of another type. */
export const requireBoolean = (body: Source, name: string): boolean =>
  required(body, name, 'boolean');
/** The field as an integer. @throws PlatformError `protocol`. */
export const requireInteger = (body: Source, name: string): number =>
  required(body, name, 'integer');
/** The field as text. @throws PlatformError `protocol`. */
export const requireText = (body: Source, name: string): string => required(body, name, 'text');
/** The field as an object. @throws PlatformError `protocol`. */
export const requireObject = (body: Source, name: string): JsonObject =>
  required(body, name, 'object');

/** The field, or undefined when absent or null. @throws PlatformError `protocol` when of another type. */
export const optionalBoolean = (body: Source, name: string): boolean | undefined =>
  typed(body, name, 'boolean');
/** As optionalBoolean, for an integer. */
export const optionalInteger = (body: Source, name: string): number | undefined =>
  typed(body, name, 'integer');
/** As optionalBoolean, for text. */
export const optionalText = (body: Source, name: string): string | undefined =>
  typed(body, name, 'text');
/** As optionalBoolean, for an object. */
export const optionalObject = (body: Source, name: string): JsonObject | undefined =>
  typed(body, name, 'object');
/** As optionalBoolean, for a list. */
export const optionalList = (body: Source, name: string): readonly unknown[] | undefined =>
  typed(body, name, 'list');

/** Refuses an answer about another run than the one asked for. */
export function requireSameRun(body: Source, runId: string): void {
  if (requireText(body, 'run_id') !== runId) {
    throw protocolError('run_id is not the one that was asked for');
  }
}
