import type {
  Components,
  FunctionComponent,
  Human,
  McpServer,
  Skill,
  Tool,
} from '../spec-types.ts';
import { readAgent } from './agent.ts';
import {
  closeBlock,
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
    description: nullable(block, 'description', readText),
    assignee: nullable(block, 'assignee', readText),
    timeout_seconds: nullable(block, 'timeout_seconds', readInteger),
    on_timeout: optional(block, 'on_timeout', readOnTimeout, 'fail'),
    request_type: optional(block, 'request_type', readRequestType, 'approval'),
    options: nullable(block, 'options', readTexts),
    default_option: nullable(block, 'default_option', readText),
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
    implementation: nullable(block, 'implementation', readText),
    mcp: nullable(block, 'mcp', readObject),
    agent: nullable(block, 'agent', readText),
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
    command: nullable(block, 'command', readText),
    args: optional(block, 'args', readTexts, []),
    env: nullable(block, 'env', readTextMap),
    cwd: nullable(block, 'cwd', readPath),
    url: nullable(block, 'url', readText),
    sse_url: nullable(block, 'sse_url', readText),
    message_url: nullable(block, 'message_url', readText),
    headers: nullable(block, 'headers', readTextMap),
    timeout: nullable(block, 'timeout', readNumber),
    max_response_bytes: nullable(block, 'max_response_bytes', readInteger),
    sse_read_timeout: nullable(block, 'sse_read_timeout', readNumber),
    verify: nullable(block, 'verify', readBoolean),
    ca_bundle: nullable(block, 'ca_bundle', readPath),
    client_cert: nullable(block, 'client_cert', readPath),
    client_key: nullable(block, 'client_key', readPath),
    client_key_ref: nullable(block, 'client_key_ref', readText),
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
