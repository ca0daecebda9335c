import type { Item, JsonObject } from '../../../items/item.ts';
import { GOOGLE_SHEETS } from '../../../services/rows/google-sheets.ts';
import { type Handler, itemsOf, StepFailure } from '../../handler.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { FieldFailure } from '../../n8n/fields.ts';
import { type ItemOutcome, outputsOf } from '../../n8n/on-error.ts';
import { settingsByItem } from '../../n8n/step-settings.ts';
import { type Api, openApi } from '../api.ts';
import {
  clearSheet,
  createSheet,
  createSpreadsheet,
  deleteCells,
  deleteSpreadsheet,
  removeSheet,
} from './change-sheets.ts';
import { readRows } from './read-rows.ts';
import { appendRows, updateRows } from './write-rows.ts';

/** Later versions read the sheet for each item. */
const READS_EACH = 4.2;

const CHANGES: Readonly<Record<string, (api: Api, one: OneItem) => Promise<JsonObject>>> = {
  clear: clearSheet,
  delete: deleteCells,
  create: createSheet,
  remove: removeSheet,
};

function operationOf({ settings }: OneItem): string {
  const isSheet = settings.text('resource', 'sheet') === 'sheet';
  return isSheet ? settings.text('operation', 'read') : `${settings.text('operation', 'create')}:`;
}

async function given(api: Api, one: OneItem, operation: string): Promise<readonly Item[]> {
  if (operation === 'read') return readRows(api, one);
  const change =
    operation === 'create:'
      ? createSpreadsheet
      : operation === 'deleteSpreadsheet:'
        ? deleteSpreadsheet
        : CHANGES[operation];
  if (change === undefined)
    throw new StepFailure(`There is no operation '${operation}' of Google Sheets here.`);
  return [{ json: await change(api, one), pairedItem: { item: one.at } }];
}

async function outcomeOf(api: Api, one: OneItem, operation: string): Promise<ItemOutcome> {
  try {
    return await given(api, one, operation);
  } catch (error) {
    if (!(error instanceof StepFailure || error instanceof FieldFailure)) throw error;
    return { failed: error.message };
  }
}

/** What all items do at once; undefined for what each does on its own. */
function writer(
  operation: string,
): ((api: Api, all: readonly OneItem[]) => Promise<Item[]>) | undefined {
  if (operation === 'append') return appendRows;
  if (operation === 'update') return (api, all) => updateRows(api, all, false);
  if (operation === 'appendOrUpdate') return (api, all) => updateRows(api, all, true);
  return undefined;
}

/** Google Sheets, from version 3 on: rows are written for all items at once. */
export const handleGoogleSheets: Handler = async (call) => {
  const items = itemsOf(call);
  const settings = await settingsByItem(call, items);
  const all = settings.map((own, at): OneItem => {
    return { call, item: items[at] ?? { json: {} }, at, settings: own };
  });
  const [first] = all;
  if (first === undefined) return outputsOf(items, [], call.node.onError);
  const operation = operationOf(first);
  const api = await openApi(call, GOOGLE_SHEETS);
  const write = writer(operation);
  if (write !== undefined) return [await write(api, all)];
  const isOnce = operation === 'read' && call.node.version < READS_EACH;
  const outcomes: ItemOutcome[] = [];
  for (const one of isOnce ? all.slice(0, 1) : all) {
    const outcome = await outcomeOf(api, one, operation);
    outcomes.push(outcome);
    if ('failed' in outcome && call.node.onError === 'stop') break;
  }
  return outputsOf(items, outcomes, call.node.onError);
};
