import type { Json } from '../../kernel/json.ts';
import type { MissingName } from '../values/diagnostic.ts';
import type { Path } from '../values/path.ts';

/** How a name of a kind is declared. */
interface Declaration {
  /** The kind in words. */
  readonly what: string;
  /** The map that declares the name. */
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
export const DECLARATIONS: Readonly<Record<MissingName['kind'], Declaration>> = {
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
