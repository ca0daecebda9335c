import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { type DifyHandler, gives } from './dify-call.ts';
import type { Pool } from './pool.ts';
import { objectsOf } from './values.ts';

function firstThere(selectors: unknown, pool: Pool): unknown {
  const list: readonly unknown[] = Array.isArray(selectors) ? selectors : [];
  for (const selector of list) {
    const value = pool.at(selector);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Variable aggregator: of each group the first value that is there. */
export const handleAggregator: DifyHandler = ({ data, pool }) => {
  const advanced = data['advanced_settings'];
  if (!isObject(advanced) || advanced['group_enabled'] !== true) {
    const output = firstThere(data['variables'], pool);
    return gives(output === undefined ? {} : { output });
  }
  const groups = objectsOf(advanced['groups']).flatMap(({ group_name, variables }) => {
    const output = firstThere(variables, pool);
    return output === undefined ? [] : [[String(group_name ?? ''), { output }] as const];
  });
  const fields: JsonObject = Object.fromEntries(groups);
  return gives(fields);
};
