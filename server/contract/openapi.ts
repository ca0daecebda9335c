import { z } from 'zod';
import { isObject, type JsonObject } from '../kernel/json.ts';
import type { Route } from './route.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  /** Mount prefixes; every operation is listed under each. */
  readonly prefixes: readonly string[];
  /** Schema of the service's refusal envelope. */
  readonly envelope: z.ZodType;
}

/** Named schemas of the document, as they are met. */
type Components = Record<string, unknown>;

const LOCAL = '#/$defs/';
const SHARED = '#/components/schemas/';

/** References to a schema's own definitions lead to the document's shared ones instead. */
function shareReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shareReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === '$ref' && typeof item === 'string' && item.startsWith(LOCAL)
        ? [key, `${SHARED}${item.slice(LOCAL.length)}`]
        : [key, shareReferences(item)],
    ),
  );
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output', shared: Components): unknown {
  const {
    $schema: _dialect,
    $defs: own,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  for (const [name, item] of Object.entries(own ?? {})) shared[name] = shareReferences(item);
  return shareReferences(rest);
}

function parametersOf(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  shared: Components,
): unknown[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: schemaOf(field, 'input', shared),
  }));
}

function responsesOf(route: Route, info: OpenApiInfo, shared: Components): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const [status, schema] of Object.entries(route.responses)) {
    responses[status] =
      schema === null
        ? { description: 'No content' }
        : {
            description: route.summary,
            content: { 'application/json': { schema: schemaOf(schema, 'output', shared) } },
          };
  }
  const codes = route.errors.length === 0 ? '' : `: ${route.errors.join(', ')}`;
  responses['default'] = {
    description: `Refusal${codes}`,
    content: { 'application/json': { schema: schemaOf(info.envelope, 'output', shared) } },
  };
  return responses;
}

function operationOf(
  route: Route,
  info: OpenApiInfo,
  prefix: string,
  shared: Components,
): Record<string, unknown> {
  const suffix = prefix === info.prefixes[0] ? '' : '.unversioned';
  return {
    operationId: `${route.id}${suffix}`,
    summary: route.summary,
    parameters: [
      ...parametersOf(route.params, 'path', shared),
      ...parametersOf(route.query, 'query', shared),
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.bodyRequired,
            content: { 'application/json': { schema: schemaOf(route.body, 'input', shared) } },
          },
        }),
    responses: responsesOf(route, info, shared),
    ...(route.access === null ? {} : { 'x-access': route.access }),
  };
}

/** Writes the OpenAPI 3.1 document of a service from its route declarations. */
export function openApiDocument(routes: readonly Route[], info: OpenApiInfo): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {};
  const shared: Components = {};
  for (const prefix of info.prefixes) {
    for (const route of routes) {
      const path = `${prefix}${route.path.replaceAll('+}', '}')}`;
      const operations = paths[path] ?? {};
      operations[route.method.toLowerCase()] = operationOf(route, info, prefix, shared);
      paths[path] = operations;
    }
  }
  const document = {
    openapi: '3.1.0',
    info: { title: info.title, version: info.version },
    paths,
    components: { schemas: shared },
  };
  return structuredClone(document) as JsonObject;
}
