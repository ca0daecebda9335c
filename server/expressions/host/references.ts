import type { LookWish } from '../../items/reader.ts';

/** The earlier steps that texts name; `all` when a name is computed. */
export interface References {
  readonly names: ReadonlySet<string> | 'all';
  readonly wish: LookWish;
}

const NAMED =
  /\$(?:node\s*\.\s*([A-Za-z_]\w*)|(?:\(|node\s*(?:\?\.)?\[|items\s*\()\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*[\]),])/g;
const USES = /\$(?:\(|node\b|items\s*\((?!\s*\)))/g;
/** Code that is made of texts, and `$` or `$node` under another name. */
const COMPUTED = /\b(?:eval|Function|globalThis)\b|\bthis\s*\[|[=(,:[]\s*\$\s*(?:[;,)\]}]|$)/m;
const PAIRED = /\bitem\b|itemMatching|pairedItem/;
const EARLIER = /\b(?:all|first|last|items)\s*\([^()]*,/;

/** Looks in expressions or code for the steps that they read. */
export function referencesIn(texts: readonly string[]): References {
  const names = new Set<string>();
  let isComputed = false;
  let matches = false;
  let earlierRuns = false;
  for (const text of texts) {
    if (!text.includes('$')) continue;
    const named = [...text.matchAll(NAMED)];
    for (const [, ...groups] of named) names.add(groups.find((name) => name !== undefined) ?? '');
    isComputed ||= named.length < (text.match(USES)?.length ?? 0) || COMPUTED.test(text);
    matches ||= PAIRED.test(text);
    earlierRuns ||= EARLIER.test(text);
  }
  return {
    names: isComputed ? 'all' : names,
    wish: { matches: matches || isComputed, earlierRuns: earlierRuns || isComputed },
  };
}
