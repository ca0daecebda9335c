import { serviceVersions } from '../services/find-row.ts';
import { N8N_TRIGGERS } from './n8n-triggers.ts';

/** A type of step of n8n that runs here. */
export interface N8nStepType {
  /** The lowest and the highest `typeVersion` that exports use. */
  readonly versions: readonly [lowest: number, highest: number];
  /** How many there are; `settings` when the step's settings decide. */
  readonly inputs: number | 'settings';
  /** As `inputs`; the output for items that failed comes behind them. */
  readonly outputs: number | 'settings';
}

const ONE_IN_ONE_OUT = { inputs: 1, outputs: 1 } as const;

const TRIGGER: N8nStepType = { versions: [1, 9], inputs: 0, outputs: 1 };

/** A step that no source has: it calls a tool of an MCP server of the draft. */
export const MCP_CALL = 'specwright.mcpCall';

/** The types that have a built-in handler. */
export const N8N_STEP_TYPES: Readonly<Record<string, N8nStepType>> = {
  ...Object.fromEntries(N8N_TRIGGERS.map((type) => [type, TRIGGER])),
  ...Object.fromEntries(
    [...serviceVersions()].map(([type, versions]) => [type, { versions, ...ONE_IN_ONE_OUT }]),
  ),
  'n8n-nodes-base.aggregate': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.code': { versions: [1, 2], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.compareDatasets': { versions: [1, 2.3], inputs: 2, outputs: 4 },
  'n8n-nodes-base.emailSend': { versions: [1, 2.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.executeWorkflow': { versions: [1, 1.3], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.executionData': { versions: [1, 1.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.filter': { versions: [1, 2.3], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.function': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.functionItem': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.httpRequest': { versions: [1, 4.4], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.if': { versions: [1, 2.3], inputs: 1, outputs: 2 },
  'n8n-nodes-base.itemLists': { versions: [1, 3.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.limit': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.merge': { versions: [1, 3.2], inputs: 'settings', outputs: 1 },
  'n8n-nodes-base.noOp': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.postgres': { versions: [1, 2.6], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.removeDuplicates': { versions: [1, 2], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.renameKeys': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.respondToWebhook': { versions: [1, 1.5], inputs: 1, outputs: 'settings' },
  'n8n-nodes-base.rssFeedRead': { versions: [1, 1.2], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.set': { versions: [1, 3.4], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.sort': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.splitInBatches': { versions: [1, 3], inputs: 1, outputs: 2 },
  'n8n-nodes-base.splitOut': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.stopAndError': { versions: [1, 1], inputs: 1, outputs: 0 },
  'n8n-nodes-base.summarize': { versions: [1, 1.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.switch': { versions: [1, 3.4], inputs: 1, outputs: 'settings' },
  'n8n-nodes-base.wait': { versions: [1, 1.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.webhook': { ...TRIGGER, outputs: 'settings' },
  'n8n-nodes-base.compression': { versions: [1, 1.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.convertToFile': { versions: [1, 1.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.crypto': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.dateTime': { versions: [1, 2], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.extractFromFile': { versions: [1, 1.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.html': { versions: [1, 1.2], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.gmail': { versions: [2, 2.2], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.googleCalendar': { versions: [1, 1.3], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.googleDocs': { versions: [1, 2], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.googleDrive': { versions: [3, 3], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.googleSheets': { versions: [3, 4.7], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.htmlExtract': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.markdown': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.moveBinaryData': { versions: [1, 1.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.readWriteFile': { versions: [1, 1.1], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.spreadsheetFile': { versions: [1, 2], ...ONE_IN_ONE_OUT },
  'n8n-nodes-base.xml': { versions: [1, 1], ...ONE_IN_ONE_OUT },
  [MCP_CALL]: { versions: [1, 1], ...ONE_IN_ONE_OUT },
};
