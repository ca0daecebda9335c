import type { Route } from '../../server/contract/route.ts';

type Service = Route['service'];

const PREFIX: Readonly<Record<Service, string>> = {
  platform: '/platform/v1',
  dashboard: '/dashboard/api',
  studio: '/studio/api',
  gateway: '/gateway',
};

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

/** Path and query of an operation behind the gateway (decisions 23, 31); greedy parameters keep slashes. */
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
  return `${PREFIX[route.service]}${fill(route.path, params)}${text === '' ? '' : `?${text}`}`;
}
