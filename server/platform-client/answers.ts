import { z } from 'zod';
import type { Route } from '../contract/route.ts';
import { type SuccessSchema, type Told, toldReader } from '../contract/told.ts';
import { type PlatformError, platformError } from './platform-error.ts';

/** The answer of a route as any platform may give it. */
export type Answer<R extends Route> = Told<z.output<SuccessSchema<R>>>;

/** Reads the answer of one route. */
export type AnswerReader<T> = (body: object) => T;

/** The failure of an answer whose field is not what the contract says. */
export function protocolError(what: string): PlatformError {
  return platformError({
    family: 'protocol',
    message: `The platform's answer is not of the agreed shape: ${what}.`,
  });
}

const SUCCESSES = [200, 201, 202] as const;

/** The body that a route succeeds with, as the contract declares it. */
export function successOf<R extends Route>(route: R): SuccessSchema<R> {
  const status = SUCCESSES.find((candidate) => route.responses[candidate] instanceof z.ZodType);
  if (status === undefined) throw new TypeError(`${route.id} has no answer`);
  return route.responses[status] as SuccessSchema<R>;
}

const readers = new WeakMap<Route, AnswerReader<unknown>>();

/** The reader of a route's answers where a value of another type counts as absent (dashboard.md 9). */
export function readerOf<R extends Route>(route: R): AnswerReader<Answer<R>> {
  const known = readers.get(route) ?? toldReader(successOf(route));
  readers.set(route, known);
  return known as AnswerReader<Answer<R>>;
}

/** A reader for whom a value of another type is a failure `protocol` (studio.md 23). */
export function typedReader<S extends z.ZodType>(schema: S): AnswerReader<Told<z.output<S>>> {
  return toldReader(schema, (name, agreed) => {
    throw protocolError(`${name} is not of type ${agreed}`);
  });
}

/** A field that the answer must have. @throws PlatformError `protocol`. */
export function required<T>(value: T, name: string): NonNullable<T> {
  if (value === undefined || value === null) throw protocolError(`${name} is missing`);
  return value;
}

/** Refuses an answer about another run than the one asked for. */
export function requireSameRun(answer: { readonly run_id?: unknown }, runId: string): void {
  if (required(answer.run_id, 'run_id') !== runId) {
    throw protocolError('run_id is not the one that was asked for');
  }
}
