import { z } from 'zod';
import type { JsonObject } from '../kernel/json.ts';
import type { Route } from './route.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  /** Mount prefixes; every operation is listed under each. */
  readonly prefixes: readonly string[];
  /** Schema of the service's refusal envelope. */
  readonly envelope: z.ZodType;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): unknown[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: schemaOf(field, 'input'),
  }));
}

function responsesOf(route: Route, info: OpenApiInfo): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const [status, schema] of Object.entries(route.responses)) {
    responses[status] =
      schema === null
        ? { description: 'No content' }
        : {
            description: route.summary,
            content: { 'application/json': { schema: schemaOf(schema, 'output') } },
          };
  }
  const codes = route.errors.length === 0 ? '' : `: ${route.errors.join(', ')}`;
  responses['default'] = {
    description: `Refusal${codes}`,
    content: { 'application/json': { schema: schemaOf(info.envelope, 'output') } },
  };
  return responses;
}

function operationOf(route: Route, info: OpenApiInfo, prefix: string): Record<string, unknown> {
  const suffix = prefix === info.prefixes[0] ? '' : '.unversioned';
  return {
    operationId: `${route.id}${suffix}`,
    summary: route.summary,
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.bodyRequired,
            content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
          },
        }),
    responses: responsesOf(route, info),
    ...(route.access === null ? {} : { 'x-access': route.access }),
  };
}

/** Writes the OpenAPI 3.1 document of a service from its route declarations. */
export function openApiDocument(routes: readonly Route[], info: OpenApiInfo): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const prefix of info.prefixes) {
    for (const route of routes) {
      const path = `${prefix}${route.path.replaceAll('+}', '}')}`;
      const operations = paths[path] ?? {};
      operations[route.method.toLowerCase()] = operationOf(route, info, prefix);
      paths[path] = operations;
    }
  }
  const document = { openapi: '3.1.0', info: { title: info.title, version: info.version }, paths };
  return structuredClone(document) as JsonObject;
}
