import { isObject } from '../../kernel/json.ts';
import { isService, unserved } from '../../services/unserved.ts';
import { jsonOf } from '../json-of.ts';
import type { N8nNode } from './document.ts';

/** What no row of a service carries out of a node: a setting in words. */
export function unservedOf({ type, version, parameters }: N8nNode): string | undefined {
  if (!isService(type)) return undefined;
  const plain = jsonOf(parameters, (_, text) => text);
  return unserved({ type, version, parameters: isObject(plain) ? plain : {} });
}
