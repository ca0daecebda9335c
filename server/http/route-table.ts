import type { HttpMethod, Route } from '../contract/route.ts';
import { withoutTrailingSlashes } from '../kernel/trailing-slashes.ts';

interface Entry {
  readonly method: HttpMethod;
  readonly pattern: RegExp;
  readonly greedy: boolean;
  readonly literals: number;
}

const PARAMETER = /\{(\w+)(\+?)\}/g;

function escapeLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function patternOf(path: string): { pattern: RegExp; greedy: boolean; literals: number } {
  let source = '';
  let last = 0;
  let greedy = false;
  for (const match of path.matchAll(PARAMETER)) {
    source += escapeLiteral(path.slice(last, match.index));
    const isGreedy = match[2] === '+';
    greedy ||= isGreedy;
    source += isGreedy ? `(?<${match[1]}>.+)` : '[^/]+';
    last = match.index + match[0].length;
  }
  source += escapeLiteral(path.slice(last));
  const literals = path.replace(PARAMETER, '').length;
  return { pattern: new RegExp(`^${source}$`, 'd'), greedy, literals };
}

/**
 * The paths that a service knows: finds the methods of a path (405), the path without a trailing
 * slash, and folds the slashes of a greedy parameter (`{ref+}`) so that the router sees one segment.
 */
export class RouteTable {
  readonly #prefixes: readonly string[];
  readonly #entries: Entry[] = [];
  /** Most services have no greedy parameter, and each request asks. */
  #greedy = false;

  constructor(prefixes: readonly string[]) {
    this.#prefixes = prefixes;
  }

  /** Adds a route; returns the router's paths, one per prefix. */
  add(route: Route): string[] {
    return this.#prefixes.map((prefix) => {
      const path = `${prefix}${route.path}`;
      const shape = patternOf(path);
      this.#entries.push({ method: route.method, ...shape });
      this.#greedy ||= shape.greedy;
      this.#entries.sort((a, b) => b.literals - a.literals);
      return path.replace(PARAMETER, ':$1');
    });
  }

  /** Adds a path that no contract route serves, as it is. */
  addPath(method: HttpMethod, path: string): void {
    this.#entries.push({ method, ...patternOf(path) });
  }

  /** Methods that the path answers to, ascending. */
  methodsOf(path: string): string[] {
    const found = this.#entries.filter((entry) => entry.pattern.test(path));
    return [...new Set(found.map((entry) => entry.method))].sort();
  }

  /** The path without its trailing slash when that one is known. */
  withoutSlash(path: string): string | undefined {
    if (path.length < 2 || !path.endsWith('/')) return undefined;
    const target = withoutTrailingSlashes(path);
    return this.methodsOf(target).length > 0 ? target : undefined;
  }

  /** Encodes the slashes inside a greedy parameter. The most literal pattern wins. */
  rewrite(method: string, url: string): string {
    if (!this.#greedy) return url;
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    const entry = this.#entries.find((item) => item.method === method && item.pattern.test(path));
    if (entry === undefined || !entry.greedy) return url;
    const span = Object.values(entry.pattern.exec(path)?.indices?.groups ?? {})[0];
    if (span === undefined) return url;
    const value = path.slice(span[0], span[1]).replaceAll('/', '%2F');
    const folded = `${path.slice(0, span[0])}${value}${path.slice(span[1])}`;
    return end === -1 ? folded : `${folded}${url.slice(end)}`;
  }
}
