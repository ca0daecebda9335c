import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HandlerInput, Route } from '../contract/route.ts';
import { type Issue, toIssues } from './validation-issues.ts';

type Parsed<R extends Route> =
  | { readonly ok: true; readonly input: HandlerInput<R> }
  | { readonly ok: false; readonly issues: readonly Issue[] };

function innermost(schema: unknown): unknown {
  let current = schema;
  while (
    current instanceof z.ZodOptional ||
    current instanceof z.ZodDefault ||
    current instanceof z.ZodNullable
  ) {
    current = current.unwrap();
  }
  return current;
}

/** A repeated scalar counts with its last value; a list field takes all of them (platform.md 1.1). */
function queryValues(route: Route, raw: unknown): Record<string, unknown> {
  const shape = route.query?.shape ?? {};
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw ?? {})) {
    const wantsList = innermost(shape[name]) instanceof z.ZodArray;
    if (wantsList) values[name] = Array.isArray(value) ? value : [value];
    else values[name] = Array.isArray(value) ? value.at(-1) : value;
  }
  return values;
}

interface Part {
  readonly place: 'path' | 'query' | 'body';
  readonly schema: z.ZodType | undefined;
  readonly value: unknown;
}

function bodyPart(route: Route, body: unknown): Part {
  const absent = body === undefined || body === null;
  const skip = absent && !route.bodyRequired;
  return { place: 'body', schema: skip ? undefined : route.body, value: absent ? undefined : body };
}

type Result =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly found: readonly z.core.$ZodRawIssue[] };

/** As `safeParse`, but with the issues as they were found: `error` would write out every one of them. */
function validate(schema: z.ZodType, value: unknown): Result {
  const parsed = schema._zod.run({ value, issues: [] }, { async: false, reportInput: true });
  if (parsed instanceof Promise) throw new TypeError('no schema of a request waits for anything');
  const { issues } = parsed;
  return issues.length === 0 ? { ok: true, value: parsed.value } : { ok: false, found: issues };
}

/** Validates path, query and body together, so that one answer names everything that is wrong. */
export function parseInput<R extends Route>(route: R, request: FastifyRequest): Parsed<R> {
  const parts: readonly Part[] = [
    { place: 'path', schema: route.params, value: request.params },
    { place: 'query', schema: route.query, value: queryValues(route, request.query) },
    bodyPart(route, request.body),
  ];
  const issues: Issue[] = [];
  const values: Record<string, unknown> = {};
  for (const part of parts) {
    if (part.schema === undefined) continue;
    if (part.place === 'body' && part.value === undefined) {
      issues.push({ loc: ['body'], msg: 'Field required', type: 'missing' });
      continue;
    }
    const result = validate(part.schema, part.value);
    if (result.ok) values[part.place] = result.value;
    else issues.push(...toIssues(result.found, part.place));
  }
  if (issues.length > 0) return { ok: false, issues };
  const input = { params: values['path'], query: values['query'], body: values['body'] };
  return { ok: true, input: input as HandlerInput<R> };
}
