import { N8N_TRIGGERS } from '../../items/n8n-triggers.ts';
import { MCP_CALL } from '../../items/n8n-types.ts';
import { serviceVersions } from '../../services/find-row.ts';
import { handleGoogleCalendar } from '../google/calendar/google-calendar.ts';
import { handleGoogleDocs } from '../google/docs/google-docs.ts';
import { handleGoogleDrive } from '../google/drive/google-drive.ts';
import { handleGmail } from '../google/gmail/gmail.ts';
import { handleGoogleSheets } from '../google/sheets/google-sheets.ts';
import type { Handler } from '../handler.ts';
import { handleMcpCall } from '../mcp-call.ts';
import { handleService } from '../services/service-step.ts';
import { handleAggregate } from './aggregate.ts';
import { handleCode } from './code.ts';
import { handleEmailSend } from './email-send.ts';
import { handleCalledTrigger, handleExecuteWorkflow } from './execute-workflow.ts';
import { handleExecutionData } from './execution-data.ts';
import { handleRssFeedRead } from './feeds/rss-feed-read.ts';
import { handleFunction, handleFunctionItem } from './function.ts';
import { handleHttpRequest } from './http/http-request.ts';
import { handleFilter, handleIf } from './if.ts';
import { handleItemLists } from './item-lists.ts';
import { handleCompareDatasets } from './join/compare-datasets.ts';
import { handleMerge } from './join/merge.ts';
import { handleLimit } from './limit.ts';
import { handleLoop } from './loop.ts';
import { handlePass } from './pass.ts';
import { handleRemoveDuplicates } from './remove-duplicates.ts';
import { handleRenameKeys } from './rename-keys.ts';
import { handleRespond } from './respond.ts';
import { handleSet } from './set.ts';
import { handleSort } from './sort.ts';
import { handleSplitOut } from './split-out.ts';
import { handlePostgres } from './sql/postgres.ts';
import { handleStop } from './stop.ts';
import { handleSummarize } from './summarize.ts';
import { handleSwitch } from './switch.ts';
import { handleSchedule, handleTrigger, handleWebhook } from './trigger.ts';
import { VALUE_HANDLERS } from './value-handlers.ts';
import { handleWait } from './wait.ts';

/** The handlers of n8n's nodes by their type. */
export const N8N_HANDLERS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(N8N_TRIGGERS.map((type) => [type, handleTrigger])),
  ...Object.fromEntries([...serviceVersions().keys()].map((type) => [type, handleService])),
  'n8n-nodes-base.aggregate': handleAggregate,
  'n8n-nodes-base.code': handleCode,
  'n8n-nodes-base.compareDatasets': handleCompareDatasets,
  'n8n-nodes-base.emailSend': handleEmailSend,
  'n8n-nodes-base.executeWorkflow': handleExecuteWorkflow,
  'n8n-nodes-base.executeWorkflowTrigger': handleCalledTrigger,
  'n8n-nodes-base.executionData': handleExecutionData,
  'n8n-nodes-base.filter': handleFilter,
  'n8n-nodes-base.function': handleFunction,
  'n8n-nodes-base.functionItem': handleFunctionItem,
  'n8n-nodes-base.gmail': handleGmail,
  'n8n-nodes-base.googleCalendar': handleGoogleCalendar,
  'n8n-nodes-base.googleDocs': handleGoogleDocs,
  'n8n-nodes-base.googleDrive': handleGoogleDrive,
  'n8n-nodes-base.googleSheets': handleGoogleSheets,
  'n8n-nodes-base.httpRequest': handleHttpRequest,
  'n8n-nodes-base.if': handleIf,
  'n8n-nodes-base.itemLists': handleItemLists,
  'n8n-nodes-base.limit': handleLimit,
  'n8n-nodes-base.merge': handleMerge,
  'n8n-nodes-base.noOp': handlePass,
  'n8n-nodes-base.postgres': handlePostgres,
  'n8n-nodes-base.removeDuplicates': handleRemoveDuplicates,
  'n8n-nodes-base.renameKeys': handleRenameKeys,
  'n8n-nodes-base.respondToWebhook': handleRespond,
  'n8n-nodes-base.rssFeedRead': handleRssFeedRead,
  'n8n-nodes-base.scheduleTrigger': handleSchedule,
  'n8n-nodes-base.set': handleSet,
  'n8n-nodes-base.sort': handleSort,
  'n8n-nodes-base.splitInBatches': handleLoop,
  'n8n-nodes-base.splitOut': handleSplitOut,
  'n8n-nodes-base.stopAndError': handleStop,
  'n8n-nodes-base.summarize': handleSummarize,
  'n8n-nodes-base.switch': handleSwitch,
  'n8n-nodes-base.wait': handleWait,
  'n8n-nodes-base.webhook': handleWebhook,
  [MCP_CALL]: handleMcpCall,
  ...VALUE_HANDLERS,
};
