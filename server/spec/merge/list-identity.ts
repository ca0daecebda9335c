import { canonicalJson } from '../../kernel/canonical-json.ts';
import { isJsonObject, type Json } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import { beginOf } from '../compare/workflow-parts.ts';

/** What an item of a list is known by: its id, the steps that it joins, else what it says. */
export function itemName(item: Json): string {
  if (!isJsonObject(item)) return JSON.stringify(item);
  if (typeof item['id'] === 'string') return item['id'];
  const to = item['to'];
  return typeof to === 'string' ? `${beginOf(item)} → ${to}` : canonicalJson(item);
}

function unique(key: string, taken: ReadonlySet<string>): string {
  let made = key;
  for (let count = 2; taken.has(made); count += 1) made = `${key} (${count})`;
  return made;
}

/** Keys of a list's items, each once. */
export function keysOfItems(items: readonly Json[]): readonly string[] {
  const taken = new Set<string>();
  for (const item of items) taken.add(unique(itemName(item), taken));
  return [...taken];
}

/**
 * Keys of a later list's items: the key of the earlier item that each one is. Of several that share
 * a name, those that say the same are one another, the others by their order; the rest are new.
 */
export function keysLikeEarlier(earlier: readonly Json[], later: readonly Json[]): string[] {
  const keys = keysOfItems(earlier);
  const free = new Map(keys.map((key, index) => [key, earlier[index] ?? null]));
  const nameOf = new Map(keys.map((key, index) => [key, itemName(earlier[index] ?? null)]));
  const found: (string | undefined)[] = later.map(() => undefined);
  const pair = (fits: (old: Json, item: Json) => boolean): void => {
    for (const [index, item] of later.entries()) {
      if (found[index] !== undefined) continue;
      const name = itemName(item);
      for (const [key, old] of free) {
        if (nameOf.get(key) !== name || !fits(old, item)) continue;
        found[index] = key;
        free.delete(key);
        break;
      }
    }
  };
  pair(sameJson);
  pair(() => true);
  const taken = new Set([...keys, ...found.filter((key) => key !== undefined)]);
  return later.map((item, index) => {
    const known = found[index];
    if (known !== undefined) return known;
    const name = itemName(item);
    const made = unique(taken.has(name) ? `${name} ${canonicalJson(item)}` : name, taken);
    taken.add(made);
    return made;
  });
}
