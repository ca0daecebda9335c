import type { ClientInput, Route } from '../contract/route.ts';
import { platformError } from './platform-error.ts';

/** A value of a query parameter; undefined is not sent. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** Parameters of a query by name. */
export type Query = Readonly<Record<string, QueryValue>>;

/** Values of the parameters that the route has. */
type QueryOf<R extends Route> = {
  readonly [Name in keyof NonNullable<ClientInput<R>['query']>]?: QueryValue;
};

/** What a call sends. */
export interface CallInput<R extends Route> {
  readonly params?: ClientInput<R>['params'];
  readonly query?: QueryOf<R>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Appends the parameters that are set; lists repeat their name. */
function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') for (const item of value) search.append(name, item);
    else search.append(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Percent-encodes one path segment. The two dot segments cannot be sent, since every URL parser
 * removes them: they name nothing, so they answer as the platform does for an unknown name.
 */
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw platformError({
      family: 'not_found',
      status: 404,
      code: 'not_found',
      message: 'The requested resource was not found.',
    });
  }
  return encodeURIComponent(value);
}

/** Path and query of a call, without the prefix of the version. @throws PlatformError `not_found`. */
export function urlOf(
  route: Pick<Route, 'path'>,
  params: Readonly<Record<string, unknown>> = {},
  query: Query = {},
): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    segment(String(params[name] ?? '')),
  );
  return withQuery(path, query);
}
