// Which types have a handler grows from week to week; what is expected of an import here does not.
import type { N8nStepType } from '../../items/n8n-types.ts';

/** No type has a handler: every flow is one of texts. */
export const NO_STEP_TYPES = { N8N_STEP_TYPES: {} };

function row(outputs: N8nStepType['outputs'], inputs: N8nStepType['inputs'] = 1): N8nStepType {
  return { versions: [1, 3.4], inputs, outputs };
}

/** Types that have a handler in the goldens. */
export const SOME_STEP_TYPES = {
  N8N_STEP_TYPES: {
    'n8n-nodes-base.code': row(1),
    'n8n-nodes-base.executeWorkflow': row(1),
    'n8n-nodes-base.function': row(1),
    'n8n-nodes-base.functionItem': row(1),
    'n8n-nodes-base.if': row(2),
    'n8n-nodes-base.merge': row(1, 'settings'),
    'n8n-nodes-base.manualTrigger': row(1, 0),
    'n8n-nodes-base.noOp': row(1),
    'n8n-nodes-base.set': row(1),
    'n8n-nodes-base.splitInBatches': row('settings'),
    'n8n-nodes-base.switch': row('settings'),
    'n8n-nodes-base.webhook': row('settings', 0),
  },
};
