import { type Claim, ClaimTree, claim, vouch } from '../../ledger/claims.ts';
import { BASE, LANGCHAIN } from '../document.ts';

/** Texts that readers of model calls put into the system prompt. */
const PROMPT_TEXTS = [
  'text',
  'prompt',
  'query',
  'inputText',
  'options.systemMessage',
  'options.instructions',
  'options.systemPromptTemplate',
  'options.summarizationMethodAndPrompts.values.prompt',
  'options.summarizationMethodAndPrompts.values.combineMapPrompt',
  'messages.messageValues.*.message',
  'messages.values.*.content',
  'responses.values.*.content',
  'attributes.attributes.*.name',
  'attributes.attributes.*.description',
  'categories.categories.*.category',
  'categories.categories.*.description',
  'inputSchema',
  'jsonSchemaExample',
];

const CALL: readonly Claim[] = [
  ...PROMPT_TEXTS.map((path) => claim(path, 'system_prompt', 'prompt')),
  claim('options.maxIterations', 'strategy.max_iterations'),
  claim('modelId.value', 'model.name'),
  claim('modelId', 'model.name'),
  claim('model.value', 'model.name'),
  claim('model', 'model.name'),
  claim('options.temperature', 'model.temperature'),
  claim('options.maxTokens', 'model.max_tokens'),
  claim('options.baseURL', 'model.extra.base_url'),
  claim('options.baseUrl', 'model.extra.base_url'),
  claim('options.*', 'model.extra.$'),
  claim('toolDescription', 'description'),
  claim('description', 'description'),
  vouch('promptType', 'system_prompt', ''),
];

const MODEL: readonly Claim[] = [
  ...['model', 'model.value', 'modelName', 'modelName.value'].map((path) => claim(path, 'name')),
  ...['options.model', 'options.model.value'].map((path) => claim(path, 'name')),
  claim('options.temperature', 'temperature'),
  ...['maxTokens', 'maxTokensToSample', 'maxOutputTokens', 'numPredict'].map((name) =>
    claim(`options.${name}`, 'max_tokens', `extra.${name}`),
  ),
  claim('options.baseURL', 'extra.base_url'),
  claim('options.baseUrl', 'extra.base_url'),
  claim('options.*', 'extra.$'),
];

const MEMORY: readonly Claim[] = [vouch('contextWindowLength', 'max_messages')];

const PARSER: readonly Claim[] = [
  ...['inputSchema', 'jsonSchema', 'jsonSchemaExample'].map((path) => claim(path, '')),
];

const TOOL: readonly Claim[] = [
  claim('toolDescription', 'description'),
  claim('description', 'description'),
  claim('endpointUrl', 'url', 'sse_url'),
  claim('sseEndpoint', 'sse_url', 'url'),
  claim('placeholderDefinitions.values.*.description', 'description'),
];

const HUMAN: readonly Claim[] = [
  claim('message', 'description'),
  claim('options.formTitle', 'description'),
  vouch('responseType', 'request_type'),
  vouch('operation', 'request_type'),
  ...['sendTo', 'toEmail', 'chatId', 'phoneNumber', 'user.value', 'channelId.value'].map((path) =>
    claim(path, 'context.recipient'),
  ),
  claim('channelId', 'context.recipient'),
  claim('approvalOptions.values.approveLabel', 'context.approve'),
  claim('approvalOptions.values.disapproveLabel', 'context.decline'),
  vouch('options.limitWaitTime.values.*', 'timeout_seconds'),
];

const WAIT: readonly Claim[] = [
  vouch('resume', 'request_type'),
  ...['limitWaitTime', 'limitType', 'resumeAmount', 'resumeUnit'].map((name) =>
    vouch(name, 'timeout_seconds'),
  ),
  vouch('amount', 'timeout_seconds'),
  vouch('unit', 'timeout_seconds'),
];

const CALLED: readonly Claim[] = [
  claim('workflowId.cachedResultName', 'description'),
  claim('workflowId.value', 'description'),
  claim('workflowId', 'description'),
];

function tree(...lists: readonly (readonly Claim[])[]): ClaimTree {
  return new ClaimTree(lists.flat());
}

/** What the readers of steps and tools claim to have put into the draft. */
export const CLAIMS = {
  call: tree(CALL),
  model: tree(MODEL),
  memory: tree(MEMORY),
  parser: tree(PARSER),
  tool: tree(TOOL, CALLED),
  human: tree(HUMAN),
  wait: tree(HUMAN, WAIT),
  called: tree(CALLED),
} as const;

/** Types whose claims are not those of what they became. */
export const CLAIMS_OF_TYPE: ReadonlyMap<string, ClaimTree> = new Map([
  [`${BASE}wait`, CLAIMS.wait],
  [`${LANGCHAIN}agentTool`, CLAIMS.call],
]);
