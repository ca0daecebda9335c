import type { Json } from '../../kernel/json.ts';
import type { Finding, MissingName } from '../values/diagnostic.ts';
import type { Path } from '../values/path.ts';

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

/** How a name of each kind is declared. */
const DECLARATIONS: Readonly<Record<MissingName['kind'], Declaration>> = {
  agent: {
    what: 'agent',
    map: ['components', 'agents'],
    stub: (name) => ({ name, system_prompt: 'Say here what this agent does.' }),
  },
  workflow: {
    what: 'workflow',
    map: ['components', 'workflows'],
    stub: (name) => ({ type: 'sequential', name, steps: [] }),
  },
  function: {
    what: 'function',
    map: ['components', 'functions'],
    stub: (name) => ({ implementation: `steps.${handlerName(name)}` }),
  },
  human: {
    what: 'human step',
    map: ['components', 'humans'],
    stub: () => ({ description: 'Say here what is to be decided.', request_type: 'approval' }),
  },
  tool: {
    what: 'tool',
    map: ['tools'],
    stub: (name) => ({
      description: 'Say here what the tool is for.',
      implementation: `tools.${handlerName(name)}`,
    }),
  },
  skill: {
    what: 'skill',
    map: ['skills'],
    stub: (name) => ({ source: `skills/${handlerName(name)}` }),
  },
  mcp_server: {
    what: 'server',
    map: ['mcp_servers'],
    stub: (name) => ({ transport: 'stdio', command: name }),
  },
};

/** The declaration that would answer a finding about a missing name. */
export interface MissingDeclaration {
  readonly what: string;
  readonly name: string;
  readonly path: Path;
  readonly value: Json;
}

/** What is to be declared where so that the name in a finding means something; undefined for others. */
export function missingDeclaration({ missing }: Finding): MissingDeclaration | undefined {
  if (missing === undefined || missing.name.trim() === '') return undefined;
  const { kind, name } = missing;
  const { what, map, stub } = DECLARATIONS[kind];
  return { what, name, path: [...map, name], value: stub(name) };
}
