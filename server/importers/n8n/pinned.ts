import type { PinnedItems } from '../../contract/studio/analyses.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { jsonOf } from '../json-of.ts';
import { at, listOf, mapOf, type Value } from '../value.ts';
import type { N8nDocument } from './document.ts';

/** An item's fields: an export pins them with `json` around them, or bare. */
function fieldsOf(item: Value): JsonObject[] {
  const fields = jsonOf(at(item, 'json') ?? item, (_key, text) => text);
  return fields !== undefined && isJsonObject(fields) ? [fields] : [];
}

/** The items that an export pins on its nodes in place of what they would give. */
export function pinnedOf(root: Value, { nodes }: N8nDocument): PinnedItems[] {
  const pinned = mapOf(at(root, 'pinData'));
  return nodes.flatMap(({ id, name }) => {
    const items = listOf(pinned.get(name)).flatMap(fieldsOf);
    return items.length === 0 ? [] : [{ source_id: id, items }];
  });
}
