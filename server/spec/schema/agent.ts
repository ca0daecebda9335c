import {
  closeBlock,
  filled,
  listOf,
  nullable,
  oneOf,
  openBlock,
  optional,
  type Reader,
  readBoolean,
  readInteger,
  readNumber,
  readObject,
  readText,
  readTexts,
  report,
  required,
} from './block.ts';
import { VALUES } from './field-help.ts';
import { BLOCKS } from './help.ts';
import type {
  Agent,
  Model,
  RuntimePreferences,
  Strategy,
  ToolPermissions,
  ToolSelection,
} from './spec-types.ts';

const readStrategyType = oneOf(VALUES.strategy);
const readMode = oneOf(VALUES.runtimeMode);
const readModes = listOf(readMode);

const readBudget: Reader<number> = (value, path, findings, dated) => {
  const before = findings.length;
  const budget = readInteger(value, path, findings, dated);
  if (findings.length === before && budget <= 0) {
    report(findings, path, `The token budget must be above 0, found ${budget}.`, {
      text: 'Remove it for no limit.',
      mend: { change: 'remove' },
    });
  }
  return budget;
};

const readModel: Reader<Model> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'the model');
  const model: Model = {
    provider: required(block, 'provider', readText, ''),
    name: required(block, 'name', readText, ''),
    temperature: nullable(block, 'temperature', readNumber),
    max_tokens: nullable(block, 'max_tokens', readInteger),
    token_budget: nullable(block, 'token_budget', readBudget),
    timeout_seconds: nullable(block, 'timeout_seconds', readInteger),
    extra: optional(block, 'extra', readObject, {}),
  };
  closeBlock(block, BLOCKS.model.fields);
  return model;
};

const readStrategy: Reader<Strategy> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'the strategy');
  const strategy: Strategy = {
    type: required(block, 'type', readStrategyType, 'simple'),
    max_iterations: nullable(block, 'max_iterations', readInteger),
    stop_on_tool_error: nullable(block, 'stop_on_tool_error', readBoolean),
    parallel_tool_calls: nullable(block, 'parallel_tool_calls', readBoolean),
  };
  closeBlock(block, BLOCKS.strategy.fields);
  return strategy;
};

const readRuntimePreferences: Reader<RuntimePreferences> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'the runtime preferences');
  const preferences: RuntimePreferences = {
    preferred_mode: nullable(block, 'preferred_mode', readMode),
    fallback_mode: nullable(block, 'fallback_mode', readMode),
    allowed_modes: filled(block, 'allowed_modes', readModes),
    native_provider: filled(block, 'native_provider', readText),
    adapter_ref: filled(block, 'adapter_ref', readText),
    bridge_provider: filled(block, 'bridge_provider', readText),
  };
  closeBlock(block, BLOCKS.runtime_preferences.fields);
  return preferences;
};

const readPermissions: Reader<ToolPermissions> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'the permissions');
  const permissions: ToolPermissions = {
    allow_network: nullable(block, 'allow_network', readBoolean),
    allow_filesystem_read: nullable(block, 'allow_filesystem_read', readBoolean),
    allow_filesystem_write: nullable(block, 'allow_filesystem_write', readBoolean),
    allow_shell: nullable(block, 'allow_shell', readBoolean),
    allowed_domains: optional(block, 'allowed_domains', readTexts, []),
    denied_domains: optional(block, 'denied_domains', readTexts, []),
  };
  closeBlock(block, BLOCKS.permissions.fields);
  return permissions;
};

const readToolSelection: Reader<ToolSelection> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'the tool selection');
  const selection: ToolSelection = {
    include: optional(block, 'include', readTexts, []),
    exclude: optional(block, 'exclude', readTexts, []),
    permissions: nullable(block, 'permissions', readPermissions),
  };
  closeBlock(block, BLOCKS.tool_selection.fields);
  return selection;
};

/** An agent block after normalization (spec-v1 4). */
export const readAgent: Reader<Agent> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'an agent');
  const agent: Agent = {
    name: required(block, 'name', readText, ''),
    description: nullable(block, 'description', readText),
    system_prompt: nullable(block, 'system_prompt', readText),
    model: nullable(block, 'model', readModel),
    strategy: nullable(block, 'strategy', readStrategy),
    runtime_preferences: nullable(block, 'runtime_preferences', readRuntimePreferences),
    history: nullable(block, 'history', readObject),
    memory: nullable(block, 'memory', readObject),
    guardrails: nullable(block, 'guardrails', readObject),
    tools: nullable(block, 'tools', readToolSelection),
    skills: optional(block, 'skills', readTexts, []),
    middleware: optional(block, 'middleware', readTexts, []),
    defaults: optional(block, 'defaults', readObject, {}),
    as_agent: filled(block, 'as_agent', readText),
  };
  closeBlock(block, BLOCKS.agent.fields);
  return agent;
};

/** Stand-in for an agent that could not be read. */
export const NO_AGENT: Agent = {
  name: '',
  description: null,
  system_prompt: null,
  model: null,
  strategy: null,
  runtime_preferences: null,
  history: null,
  memory: null,
  guardrails: null,
  tools: null,
  skills: [],
  middleware: [],
  defaults: {},
  as_agent: null,
};
