import type { Item, JsonObject } from '../items/item.ts';
import { isObject, type Json } from '../kernel/json.ts';
import { StepFailure } from './handler.ts';
import { forEachItem } from './n8n/each-item.ts';

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is handed over: an object, or the JSON text of one. @throws StepFailure */
function argumentsOf(value: unknown): JsonObject {
  const given = typeof value === 'string' ? jsonIn(value.trim() === '' ? '{}' : value) : value;
  if (!isObject(given)) throw new StepFailure('The arguments of the tool must be a JSON object.');
  return given;
}

/** The fields of items that an answer gives: an object or a list of them in JSON, else its text. */
function fieldsIn(text: string): readonly JsonObject[] {
  const value = jsonIn(text);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every(isObject) ? list : [{ output: text }];
}

/** A step of this program, not of a source: calls a tool of an MCP server once for each item. */
export const handleMcpCall = forEachItem(async ({ call, at, settings }) => {
  const [server, tool] = [settings.text('server'), settings.text('tool')];
  if (server === '' || tool === '') throw new StepFailure('Name the MCP server and its tool.');
  const text = await call.mcp(server, tool, argumentsOf(settings.value('arguments', {})));
  return fieldsIn(text).map((json): Item => ({ json, pairedItem: { item: at } }));
});
