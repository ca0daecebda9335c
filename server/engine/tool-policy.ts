import type { Json, JsonObject } from '../kernel/json.ts';
import type { ToolPolicy } from './program.ts';

const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const EDGE_CONTROLS = /^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$/g;

function hostOf(authority: string): string | undefined {
  const address = authority.slice(authority.lastIndexOf('@') + 1);
  const bracketed = /^\[([^\]]*)\]/.exec(address);
  const host = bracketed?.[1] ?? address.split(':')[0] ?? '';
  return host === '' ? undefined : host.toLowerCase().replace(/\.$/, '');
}

/**
 * Host of a text that is a URL as a whole, with or without a scheme (`//host/…`); a text that merely
 * contains one has none (spec-v1 11.3).
 */
export function urlHost(text: string): string | undefined {
  const trimmed = text.replace(EDGE_CONTROLS, '').replace(/[\t\r\n]/g, '');
  const rest = trimmed.replace(SCHEME, '');
  if (!rest.startsWith('//')) return undefined;
  return hostOf(rest.slice(2).split(/[/?#\\]/)[0] ?? '');
}

function* textsIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* textsIn(item);
    }
  }
}

/** Whether a host is one of the domains or below one. */
export function isInDomains(host: string, domains: readonly string[]): boolean {
  return domains.some((raw) => {
    const domain = raw.trim().toLowerCase().replace(/^\*\./, '').replace(/\.$/, '');
    return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
  });
}

/** Why a tool call is refused by the agent's selection or its domain lists; undefined = allowed. */
export function toolRefusal(
  policy: ToolPolicy | null,
  tool: string,
  args: JsonObject,
): string | undefined {
  if (policy === null) return undefined;
  if (policy.exclude.includes(tool)) return `Tool '${tool}' is excluded for this agent.`;
  if (policy.include.length > 0 && !policy.include.includes(tool)) {
    return `Tool '${tool}' is not among the tools of this agent.`;
  }
  for (const text of textsIn(args)) {
    const host = urlHost(text);
    if (host === undefined) continue;
    if (isInDomains(host, policy.denied_domains)) {
      return `Tool '${tool}' call targets domain '${host}' that is in denied_domains.`;
    }
    if (policy.allowed_domains.length > 0 && !isInDomains(host, policy.allowed_domains)) {
      return `Tool '${tool}' call targets domain '${host}' that is not in allowed_domains.`;
    }
  }
  return undefined;
}
