import { readAgent } from './agent.ts';
import {
  closeBlock,
  filled,
  mapOf,
  nullable,
  oneOf,
  openBlock,
  optional,
  type Reader,
  readBoolean,
  readInteger,
  readNumber,
  readObject,
  readPath,
  readText,
  readTexts,
  required,
} from './block.ts';
import { VALUES } from './field-help.ts';
import { BLOCKS } from './help.ts';
import type { Components, FunctionComponent, Human, McpServer, Skill, Tool } from './spec-types.ts';
import { readWorkflow } from './workflow.ts';

const readOnTimeout = oneOf(VALUES.onTimeout);
const readRequestType = oneOf(VALUES.requestType);
const readRole = oneOf(VALUES.responseRole);
const readTransport = oneOf(VALUES.transport);
const readTextMap = mapOf(readText);

const readFunction: Reader<FunctionComponent> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'a function');
  const made: FunctionComponent = {
    implementation: required(block, 'implementation', readText, ''),
    input_schema: nullable(block, 'input_schema', readObject),
    output_schema: nullable(block, 'output_schema', readObject),
  };
  closeBlock(block, BLOCKS.function.fields);
  return made;
};

const readHuman: Reader<Human> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'a human step');
  const human: Human = {
    description: filled(block, 'description', readText),
    assignee: filled(block, 'assignee', readText),
    timeout_seconds: nullable(block, 'timeout_seconds', readInteger),
    on_timeout: optional(block, 'on_timeout', readOnTimeout, 'fail'),
    request_type: optional(block, 'request_type', readRequestType, 'approval'),
    options: filled(block, 'options', readTexts),
    default_option: filled(block, 'default_option', readText),
    context: nullable(block, 'context', readObject),
    response_role: nullable(block, 'response_role', readRole),
  };
  closeBlock(block, BLOCKS.human.fields);
  return human;
};

/** A tool block (spec-v1 4). */
export const readTool: Reader<Tool> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'a tool');
  const tool: Tool = {
    description: required(block, 'description', readText, ''),
    parameters: optional(block, 'parameters', readObject, {}),
    implementation: filled(block, 'implementation', readText),
    mcp: filled(block, 'mcp', readObject),
    agent: filled(block, 'agent', readText),
  };
  closeBlock(block, BLOCKS.tool.fields);
  return tool;
};

/** A skill block (spec-v1 4). */
export const readSkill: Reader<Skill> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'a skill');
  const skill: Skill = {
    source: required(block, 'source', readPath, ''),
    description: nullable(block, 'description', readText),
  };
  closeBlock(block, BLOCKS.skill.fields);
  return skill;
};

/** An MCP server block (spec-v1 4). */
export const readMcpServer: Reader<McpServer> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'an MCP server');
  const server: McpServer = {
    transport: required(block, 'transport', readTransport, 'stdio'),
    command: filled(block, 'command', readText),
    args: optional(block, 'args', readTexts, []),
    env: nullable(block, 'env', readTextMap),
    cwd: filled(block, 'cwd', readPath),
    url: filled(block, 'url', readText),
    sse_url: filled(block, 'sse_url', readText),
    message_url: filled(block, 'message_url', readText),
    headers: nullable(block, 'headers', readTextMap),
    timeout: nullable(block, 'timeout', readNumber),
    max_response_bytes: nullable(block, 'max_response_bytes', readInteger),
    sse_read_timeout: nullable(block, 'sse_read_timeout', readNumber),
    verify: nullable(block, 'verify', readBoolean),
    ca_bundle: filled(block, 'ca_bundle', readPath),
    client_cert: filled(block, 'client_cert', readPath),
    client_key: filled(block, 'client_key', readPath),
    client_key_ref: filled(block, 'client_key_ref', readText),
  };
  closeBlock(block, BLOCKS.mcp_server.fields);
  return server;
};

const readAgents = mapOf(readAgent);
const readWorkflows = mapOf(readWorkflow);
const readFunctions = mapOf(readFunction);
const readHumans = mapOf(readHuman);

/** The components block (spec-v1 4). */
export const readComponents: Reader<Components> = (value, path, findings) => {
  const block = openBlock(value, path, findings, 'the components');
  const components: Components = {
    agents: optional(block, 'agents', readAgents, {}),
    workflows: optional(block, 'workflows', readWorkflows, {}),
    functions: optional(block, 'functions', readFunctions, {}),
    humans: optional(block, 'humans', readHumans, {}),
  };
  closeBlock(block, BLOCKS.components.fields);
  return components;
};
