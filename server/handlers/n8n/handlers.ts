import type { Handler } from '../handler.ts';
import { handleCode } from './code.ts';
import { handleFunction, handleFunctionItem } from './function.ts';
import { handleFilter, handleIf } from './if.ts';
import { handleSet } from './set.ts';
import { handleSwitch } from './switch.ts';

/** The handlers of n8n's nodes by their type. */
export const N8N_HANDLERS: Readonly<Record<string, Handler>> = {
  'n8n-nodes-base.code': handleCode,
  'n8n-nodes-base.filter': handleFilter,
  'n8n-nodes-base.function': handleFunction,
  'n8n-nodes-base.functionItem': handleFunctionItem,
  'n8n-nodes-base.if': handleIf,
  'n8n-nodes-base.set': handleSet,
  'n8n-nodes-base.switch': handleSwitch,
};
