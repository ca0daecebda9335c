import type { Handler } from '../handler.ts';
import { handleAggregate } from './aggregate.ts';
import { handleCode } from './code.ts';
import { handleFunction, handleFunctionItem } from './function.ts';
import { handleFilter, handleIf } from './if.ts';
import { handleItemLists } from './item-lists.ts';
import { handleLimit } from './limit.ts';
import { handleRemoveDuplicates } from './remove-duplicates.ts';
import { handleRenameKeys } from './rename-keys.ts';
import { handleSet } from './set.ts';
import { handleSort } from './sort.ts';
import { handleSplitOut } from './split-out.ts';
import { handleSummarize } from './summarize.ts';
import { handleSwitch } from './switch.ts';

/** The handlers of n8n's nodes by their type. */
export const N8N_HANDLERS: Readonly<Record<string, Handler>> = {
  'n8n-nodes-base.aggregate': handleAggregate,
  'n8n-nodes-base.code': handleCode,
  'n8n-nodes-base.filter': handleFilter,
  'n8n-nodes-base.function': handleFunction,
  'n8n-nodes-base.functionItem': handleFunctionItem,
  'n8n-nodes-base.if': handleIf,
  'n8n-nodes-base.itemLists': handleItemLists,
  'n8n-nodes-base.limit': handleLimit,
  'n8n-nodes-base.removeDuplicates': handleRemoveDuplicates,
  'n8n-nodes-base.renameKeys': handleRenameKeys,
  'n8n-nodes-base.set': handleSet,
  'n8n-nodes-base.sort': handleSort,
  'n8n-nodes-base.splitOut': handleSplitOut,
  'n8n-nodes-base.summarize': handleSummarize,
  'n8n-nodes-base.switch': handleSwitch,
};
