import type { Json } from '../kernel/json.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Path } from './path.ts';

interface Declaration {
  readonly what: string;
  /** The map that the name is missing from. */
  readonly map: Path;
  /** The least that stands behind the name, for the author to fill. */
  stub(name: string): Json;
}

/** A name as one part of a handler's dotted path. */
function handlerName(name: string): string {
  const word = name.replace(/[^A-Za-z0-9_]+/g, '_');
  return /^[A-Za-z_]/.test(word) ? word : `_${word}`;
}

const AGENT: Declaration = {
  what: 'agent',
  map: ['components', 'agents'],
  stub: (name) => ({ name, system_prompt: 'Say here what this agent does.' }),
};
const WORKFLOW: Declaration = {
  what: 'workflow',
  map: ['components', 'workflows'],
  stub: (name) => ({ type: 'sequential', name, steps: [] }),
};

const FUNCTION: Declaration = {
  what: 'function',
  map: ['components', 'functions'],
  stub: (name) => ({ implementation: `steps.${handlerName(name)}` }),
};

/** What each finding about a missing name asks for. */
const DECLARATIONS: Readonly<Record<string, Declaration>> = {
  E_STEP_AGENT_REF: AGENT,
  E_AGENT_TOOL_UNKNOWN_AGENT: AGENT,
  E_STEP_WORKFLOW_REF: WORKFLOW,
  E_AS_AGENT_UNKNOWN_WORKFLOW: WORKFLOW,
  E_STEP_FUNCTION_REF: FUNCTION,
  E_STEP_HUMAN_REF: {
    what: 'human step',
    map: ['components', 'humans'],
    stub: () => ({ description: 'Say here what is to be decided.', request_type: 'approval' }),
  },
  E_TOOL_REF: {
    what: 'tool',
    map: ['tools'],
    stub: (name) => ({
      description: 'Say here what the tool is for.',
      implementation: `tools.${handlerName(name)}`,
    }),
  },
  E_SKILL_REF: {
    what: 'skill',
    map: ['skills'],
    stub: (name) => ({ source: `skills/${handlerName(name)}` }),
  },
  E_MCP_UNKNOWN_SERVER: {
    what: 'server',
    map: ['mcp_servers'],
    stub: (name) => ({ transport: 'stdio', command: name }),
  },
};

const MISSING = /^There is no [a-z ]+ "(.*)"(?: in [a-z_.]+)?\.$/s;

/** The declaration that would answer a finding about a missing name. */
export interface MissingDeclaration {
  readonly what: string;
  readonly name: string;
  readonly path: Path;
  readonly value: Json;
}

function declarationFor(code: string, message: string): Declaration | undefined {
  if (code === 'E_GUARDRAIL_REF') return message.includes('no agent') ? AGENT : FUNCTION;
  return Object.hasOwn(DECLARATIONS, code) ? DECLARATIONS[code] : undefined;
}

/** What is to be declared where so that the name in a finding means something; undefined for others. */
export function missingDeclaration({ code, message }: Diagnostic): MissingDeclaration | undefined {
  const known = declarationFor(code, message);
  const name = MISSING.exec(message)?.[1];
  if (known === undefined || name === undefined || name.trim() === '') return undefined;
  return { what: known.what, name, path: [...known.map, name], value: known.stub(name) };
}
