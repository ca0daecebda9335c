import type { JsonObject } from '../../kernel/json.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { NO_AGENT, readAgent } from './agent.ts';
import {
  closeBlock,
  type Findings,
  mapOf,
  nullable,
  oneOf,
  openBlock,
  optional,
  readObject,
  required,
} from './block.ts';
import { BLOCKS } from './help.ts';
import { readComponents, readMcpServer, readSkill, readTool } from './parts.ts';
import type { Spec } from './spec-types.ts';
import { readWorkflow } from './workflow.ts';

const readVersion = oneOf(['v1']);
const readTools = mapOf(readTool);
const readMcpServers = mapOf(readMcpServer);
const readSkills = mapOf(readSkill);

/** A shape check's outcome: the spec with all defaults, or one E_SCHEMA finding per place. */
export type SchemaCheck =
  | { readonly spec: Spec; readonly diagnostics: [] }
  | { readonly spec: undefined; readonly diagnostics: Diagnostic[] };

/**
 * Checks the shape of a normalized document (spec-v1 4) and fills in the defaults. Open blocks are
 * taken over by reference, so the spec must not be changed in place.
 */
export function checkSchema(document: JsonObject): SchemaCheck {
  const findings: Findings = [];
  const block = openBlock(document, '', findings, 'a spec');
  required(block, 'version', readVersion, 'v1');
  const spec: Spec = {
    version: 'v1',
    metadata: nullable(block, 'metadata', readObject),
    agent: required(block, 'agent', readAgent, NO_AGENT),
    workflow: nullable(block, 'workflow', readWorkflow),
    components: optional(block, 'components', readComponents, {
      agents: {},
      workflows: {},
      functions: {},
      humans: {},
    }),
    tools: optional(block, 'tools', readTools, {}),
    mcp_servers: optional(block, 'mcp_servers', readMcpServers, {}),
    skills: optional(block, 'skills', readSkills, {}),
    policies: optional(block, 'policies', readObject, {}),
  };
  closeBlock(block, BLOCKS.root.fields);
  return findings.length === 0
    ? { spec, diagnostics: [] }
    : { spec: undefined, diagnostics: findings };
}
