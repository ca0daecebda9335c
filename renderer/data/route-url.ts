import { t } from '../../preload/texts/t.ts';
import type { Route } from '../../server/contract/route.ts';
import { ApiError } from './api-error.ts';
import { isServed, SERVED } from './served.ts';

type Service = Route['service'];

const PREFIX: Readonly<Record<Service, string>> = {
  platform: '/platform/v1',
  dashboard: '/dashboard/api',
  studio: '/studio/api',
  gateway: '/gateway',
};

const NAMES: Readonly<Record<Service, string>> = {
  platform: t('the run platform'),
  dashboard: t('the operations dashboard'),
  studio: t('the authoring studio'),
  gateway: t('the workbench'),
};

/** What paths of a service begin with at the address that served this window. @throws ApiError */
function prefixOf(service: Service): string {
  if (SERVED.service === 'gateway') {
    return PREFIX[service];
  }
  if (isServed(service)) {
    return '/api';
  }
  throw new ApiError({
    status: 0,
    code: 'not_served_here',
    message: t('This address is that of {names} alone; {names2} does not answer here.', {
      names: NAMES[SERVED.service],
      names2: NAMES[service],
    }),
    requestId: null,
    details: {},
    retryAfter: null,
  });
}

function fill(template: string, params: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)(\+?)\}/g, (_whole, name: string, greedy: string) => {
    const value = String(params[name] ?? '');
    return greedy === ''
      ? encodeURIComponent(value)
      : value.split('/').map(encodeURIComponent).join('/');
  });
}

function appendValue(search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) {
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      appendValue(search, name, item);
    }
    return;
  }
  search.append(name, String(value));
}

/**
 * Path and query of an operation where this window is served: behind the gateway (decisions 23, 31),
 * or at a service's own address. Greedy parameters keep slashes.
 * @throws ApiError `not_served_here` for a service that does not answer there.
 */
export function routeUrl(
  route: { readonly service: Service; readonly path: string },
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    appendValue(search, name, value);
  }
  const text = search.toString();
  return `${prefixOf(route.service)}${fill(route.path, params)}${text === '' ? '' : `?${text}`}`;
}
