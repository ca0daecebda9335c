import type { Item, JsonObject } from '../../items/item.ts';
import type { Service } from '../../services/service.ts';
import { type Handler, StepFailure } from '../handler.ts';
import { forEachItem, type OneItem } from '../n8n/each-item.ts';
import { type Api, openApi } from './api.ts';

/** What an operation makes of an item: the fields of new items, or items with files. */
export type Operation = (
  api: Api,
  one: OneItem,
) => Promise<JsonObject | readonly JsonObject[] | { readonly items: readonly Item[] }>;

/** Operations by `resource/operation`, and what an export leaves out. */
export interface Operations {
  readonly resource: string;
  /** By resource. */
  readonly operation: Readonly<Record<string, string>>;
  readonly of: Readonly<Record<string, Operation>>;
}

function operationOf({ resource, operation, of }: Operations, { settings }: OneItem): Operation {
  const named = settings.text('resource', resource);
  const key = `${named}/${settings.text('operation', operation[named] ?? '')}`;
  const found = Object.hasOwn(of, key) ? of[key] : undefined;
  if (found !== undefined) return found;
  throw new StepFailure(
    `There is no operation '${key}' here. Put a step of your own in its place.`,
  );
}

function itemsOf(given: Awaited<ReturnType<Operation>>, at: number): readonly Item[] {
  if ('items' in given && Array.isArray(given.items)) return given.items as readonly Item[];
  const list = Array.isArray(given) ? given : [given];
  return list.map((json: JsonObject) => ({ json, pairedItem: { item: at } }));
}

/** A step of a service whose operations are made item by item, each by code of its own. */
export function eachOperation(service: Service, operations: Operations): Handler {
  return async (call) => {
    let opened: Promise<Api> | undefined;
    const step = forEachItem(async (one) => {
      opened ??= openApi(call, service);
      return itemsOf(await operationOf(operations, one)(await opened, one), one.at);
    });
    return step(call);
  };
}
