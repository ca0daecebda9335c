import { type Claim, ClaimTree, claim, vouch } from '../../ledger/claims.ts';

const MODEL: readonly Claim[] = [
  claim('name', 'model.name'),
  claim('model', 'model.name'),
  vouch('provider', 'model.provider'),
  claim('completion_params.temperature', 'model.temperature'),
  claim('completion_params.max_tokens', 'model.max_tokens'),
  claim('completion_params.*', 'model.extra.$'),
];

function below(prefix: string, claims: readonly Claim[]): Claim[] {
  return claims.map((one) => ({ ...one, from: [...prefix.split('.'), ...one.from] }));
}

const PROMPTS = [
  'prompt_template.*.text',
  'prompt_template.*.jinja2_text',
  'prompt_template.text',
  'prompt_template.jinja2_text',
  'instruction',
  'agent_parameters.instruction.value',
  'agent_parameters.query.value',
  'classes.*.name',
].map((path) => claim(path, 'system_prompt', 'prompt'));

/** What the readers of nodes claim to have put into the draft. */
export const NODE_CLAIMS: ClaimTree = new ClaimTree([
  ...PROMPTS,
  ...below('model', MODEL),
  ...below('agent_parameters.model.value', MODEL),
  claim('agent_parameters.maximum_iterations.value', 'strategy.max_iterations'),
  vouch('agent_strategy_name', 'strategy.type'),
  vouch('memory.window.size', 'memory.max_messages'),
  vouch('memory.window.enabled', 'memory'),
]);

const CONFIG_PROMPTS = [
  'pre_prompt',
  'chat_prompt_config.prompt.*.text',
  'completion_prompt_config.prompt.text',
].map((path) => claim(path, 'system_prompt', 'prompt'));

/** The same for the one call of an app without a graph. */
export const APP_CLAIMS: ClaimTree = new ClaimTree([
  ...CONFIG_PROMPTS,
  ...below('model', MODEL),
  claim('agent_mode.max_iteration', 'strategy.max_iterations'),
  vouch('agent_mode.strategy', 'strategy.type'),
  vouch('agent_mode.enabled', 'strategy.type'),
  vouch('prompt_type', 'system_prompt', ''),
]);
