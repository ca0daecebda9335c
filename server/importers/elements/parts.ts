import type { JsonObject } from '../../kernel/json.ts';
import { secretsInText } from '../../kernel/secrets-in-text.ts';
import type { Definition, Field, Loss, ModelField, NodePayload } from '../graph-ir.ts';
import { isWritable } from '../json-of.ts';
import { keptData } from '../kept-data.ts';
import type { Value } from '../value.ts';
import type { Element } from './document.ts';

export const ABSENT: Field<never> = { state: 'absent' };

export function authored<T>(value: T): Field<T> {
  return { state: 'resolved', value, provenance: 'authored' };
}

/** A text as a field; one that is empty is absent. */
export function textField(text: string): Field<string> {
  return text.trim() === '' ? ABSENT : authored(text);
}

/** A function that holds the place of an element, with its settings. */
export function functionDefinition({ title, type, settings }: Element): Definition {
  return (name, protector) => ({
    implementation: `imported.${name}`,
    input_schema: {
      title: protector.scrub(title),
      'x-source-type': type,
      default: keptData(settings, protector),
    },
  });
}

export function functionPayload(element: Element): NodePayload {
  return { kind: 'component', step: 'function', definition: functionDefinition(element) };
}

/** A tool of the source: a function of that name has to be written before it is offered. */
export function toolDefinition(said: string): Definition {
  return (name, protector) => ({
    description: protector.scrub(said),
    implementation: `imported.${name}`,
  });
}

/** Something of an element that the draft has in another form. */
export function carried(
  { ref }: Element,
  severity: 'info' | 'manual',
  detail: string,
  todo = 'Nothing to do.',
): Loss {
  return { ref, kind: 'carried_as', severity, detail, todo };
}

/** A number that a spec can hold, also where the source has it as text. */
export function numberIn(value: Value | undefined): number | undefined {
  const number =
    typeof value === 'string' && /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && isWritable(number) && number >= 0 ? number : undefined;
}

/** Temperature and length of answers, as a model of the draft has them. */
export function modelMembers(
  temperature: Value | undefined,
  tokens: Value | undefined,
): JsonObject {
  const warmth = numberIn(temperature);
  const length = numberIn(tokens);
  return {
    ...(warmth === undefined ? {} : { temperature: warmth }),
    ...(length === undefined || !Number.isInteger(length) || length === 0
      ? {}
      : { max_tokens: length }),
  };
}

const PROVIDER_ID = /^[A-Za-z][\w.-]{0,60}$/;

/** True for a text that may stand as the name of a provider in a draft. */
export function isProviderName(text: string): boolean {
  return PROVIDER_ID.test(text) && secretsInText(text).length === 0;
}

/** A model whose name the file has in a form that means nothing here. */
export function unreadModel(display: string): ModelField {
  const identifier = {
    state: 'unresolved',
    cause: 'expression',
    display,
    embedded: false,
  } as const;
  return { state: 'named', provider: null, providerUnresolved: false, identifier };
}

/** A model of a provider; a name that is missing is told when the draft is written. */
export function namedModel(provider: string, name: string): ModelField {
  const identifier: Field<string> = name.trim() === '' ? ABSENT : authored(name.trim());
  return { state: 'named', provider, providerUnresolved: false, identifier };
}
