import { builtInName } from '../../contract/flow.ts';
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { DocumentEdit } from '../../spec/edit/edit-value.ts';
import { mapAt, type StepPlace, valueAt } from './draft-steps.ts';
import type { Fix, FixCase, FixField, FixValues } from './fix-types.ts';
import { missingCode } from './missing-code.ts';

/** A built-in step that may stand where something of the source cannot run. */
export interface OfferedStep {
  readonly type: string;
  readonly version: number;
  readonly label: string;
}

const BASE = 'n8n-nodes-base.';

/** Built-in steps that take items and give items, most used first. */
export const OFFERED_STEPS: readonly OfferedStep[] = [
  { type: `${BASE}set`, version: 3.4, label: 'Edit fields' },
  { type: `${BASE}filter`, version: 2.2, label: 'Filter' },
  { type: `${BASE}splitOut`, version: 1, label: 'Split out' },
  { type: `${BASE}aggregate`, version: 1, label: 'Aggregate' },
  { type: `${BASE}sort`, version: 1, label: 'Sort' },
  { type: `${BASE}limit`, version: 1, label: 'Limit' },
  { type: `${BASE}removeDuplicates`, version: 2, label: 'Remove duplicates' },
  { type: `${BASE}summarize`, version: 1.1, label: 'Summarize' },
  { type: `${BASE}renameKeys`, version: 1, label: 'Rename keys' },
  { type: `${BASE}dateTime`, version: 2, label: 'Date and time' },
  { type: `${BASE}crypto`, version: 1, label: 'Crypto' },
  { type: `${BASE}emailSend`, version: 2.1, label: 'Send a mail (SMTP)' },
  { type: `${BASE}noOp`, version: 1, label: 'Hand the items on' },
];

const HTTP = { type: `${BASE}httpRequest`, version: 4.2 };
const CODE = { type: `${BASE}code`, version: 2 };
const MCP = { type: 'specwright.mcpCall', version: 1 };

const GOES_WITH =
  'A built-in step goes to every platform that offers it, such as this program; elsewhere it blocks the export.';

/** The step of an item flow that waits for code; undefined where there is none. */
function waitingStep({ document, element }: FixCase): StepPlace | undefined {
  const [part] = missingCode(document, element);
  return element.steps.find(
    ({ kind, ref, key }) =>
      part?.kind === 'function' &&
      kind === 'function' &&
      ref === part.name &&
      mapAt(document, ['metadata', 'flow', 'steps', key]) !== undefined,
  );
}

function replaced(
  fixCase: FixCase,
  { type, version }: Pick<OfferedStep, 'type' | 'version'>,
  parameters: JsonObject,
): readonly DocumentEdit[] {
  const step = waitingStep(fixCase);
  if (step === undefined) return [];
  const settings = ['metadata', 'flow', 'steps', step.key];
  return [
    {
      op: 'set',
      path: ['components', 'functions', step.ref, 'implementation'],
      value: builtInName(type),
    },
    { op: 'set', path: [...settings, 'type'], value: type },
    { op: 'set', path: [...settings, 'version'], value: version },
    { op: 'set', path: [...settings, 'parameters'], value: parameters },
  ];
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const BY_HTTP: Fix = {
  id: 'by_http',
  portability: GOES_WITH,
  form(fixCase) {
    return waitingStep(fixCase) === undefined
      ? undefined
      : {
          title: 'Add a step instead: an HTTP request',
          about:
            'The step asks an address for each item. Expressions work in every field: ={{ $json.id }}.',
          fields: [
            {
              name: 'method',
              label: 'Method',
              help: '',
              initial: 'POST',
              kind: 'choice',
              choices: METHODS.map((value) => ({ value, label: value })),
            },
            {
              name: 'url',
              label: 'Address',
              help: 'https://api.example.com/orders',
              initial: '',
              kind: 'text',
            },
            {
              name: 'body',
              label: 'Body',
              help: 'JSON, or an expression that gives it; empty for none',
              initial: '',
              kind: 'long_text',
            },
          ],
        };
  },
  edits(fixCase, values) {
    const url = (values['url'] ?? '').trim();
    const body = (values['body'] ?? '').trim();
    if (!/^(?:https?:\/\/|=)/.test(url)) return 'Write the address, beginning with https://.';
    const sent = body === '' ? {} : { sendBody: true, specifyBody: 'json', jsonBody: body };
    return replaced(fixCase, HTTP, {
      method: values['method'] ?? 'POST',
      url,
      ...sent,
      options: {},
    });
  },
};

export const BY_CODE: Fix = {
  id: 'by_code',
  portability: GOES_WITH,
  form(fixCase) {
    return waitingStep(fixCase) === undefined
      ? undefined
      : {
          title: 'Add a step instead: code in the draft',
          about:
            'JavaScript in a confined interpreter: it needs no trust, reads the items and returns those that go on.',
          fields: [
            {
              name: 'code',
              label: 'Code',
              help: 'Runs once for all items',
              initial: 'return $input.all();',
              kind: 'long_text',
            },
          ],
        };
  },
  edits(fixCase, values) {
    const jsCode = values['code'] ?? '';
    return jsCode.trim() === ''
      ? 'Write the code that gives the items.'
      : replaced(fixCase, CODE, { mode: 'runOnceForAllItems', jsCode });
  },
};

export const BY_BUILT_IN: Fix = {
  id: 'by_built_in',
  portability: GOES_WITH,
  form(fixCase) {
    return waitingStep(fixCase) === undefined
      ? undefined
      : {
          title: 'Add a step instead: a built-in one',
          about:
            'The step does what that of the source of this name does; its settings are completed in the editor.',
          fields: [
            {
              name: 'type',
              label: 'Step',
              help: '',
              initial: OFFERED_STEPS[0]?.type ?? '',
              kind: 'choice',
              choices: OFFERED_STEPS.map(({ type, label }) => ({ value: type, label })),
            },
            {
              name: 'parameters',
              label: 'Settings',
              help: 'A JSON object, as the source writes them',
              initial: '{}',
              kind: 'long_text',
            },
          ],
        };
  },
  edits(fixCase, values) {
    const chosen = OFFERED_STEPS.find(({ type }) => type === values['type']);
    const parameters = jsonIn(values['parameters'] ?? '{}');
    if (chosen === undefined) return 'Choose a step.';
    if (!isObject(parameters) || Array.isArray(parameters))
      return 'Write the settings as a JSON object.';
    return replaced(fixCase, chosen, parameters);
  },
};

const SERVER = /^[A-Za-z_][\w-]*$/;

interface ServerTool {
  readonly server: string;
  readonly name: string;
  /** Declares the server, where the draft has none of the name. */
  readonly made: readonly DocumentEdit[];
}

function serverFields({ document }: FixCase, tool: string): readonly FixField[] {
  return [
    {
      name: 'server',
      label: 'Server',
      help: 'Its name in mcp_servers',
      initial: Object.keys(mapAt(document, ['mcp_servers']) ?? {})[0] ?? 'desk',
      kind: 'text',
    },
    {
      name: 'url',
      label: 'Address',
      help: 'Of a server that the draft does not have yet',
      initial: '',
      kind: 'text',
    },
    { name: 'tool', label: 'Tool', help: 'Its name there', initial: tool, kind: 'text' },
  ];
}

/** The tool that is filled in; a text says what is missing. */
function serverTool({ document }: FixCase, values: FixValues): ServerTool | string {
  const server = (values['server'] ?? '').trim();
  const url = (values['url'] ?? '').trim();
  const name = (values['tool'] ?? '').trim();
  const isKnown = valueAt(document, ['mcp_servers', server]) !== undefined;
  if (!SERVER.test(server) || name === '') return 'Name the server and its tool.';
  if (!isKnown && !/^https?:\/\//.test(url))
    return 'Write the address of the server, beginning with https://.';
  const value = { transport: 'http', url };
  return {
    server,
    name,
    made: isKnown ? [] : [{ op: 'set', path: ['mcp_servers', server], value }],
  };
}

const SERVER_GOES_WITH =
  'A server at an address goes along; the secrets that its headers name are set where it runs.';

export const BY_MCP_STEP: Fix = {
  id: 'by_mcp_step',
  portability: `${GOES_WITH} ${SERVER_GOES_WITH}`,
  form(fixCase) {
    return waitingStep(fixCase) === undefined
      ? undefined
      : {
          title: 'Add a step instead: a tool of an MCP server',
          about:
            'The step calls the tool for each item. Its answer goes on: the fields of an object in JSON, any other text as output.',
          fields: [
            ...serverFields(fixCase, ''),
            {
              name: 'arguments',
              label: 'Arguments',
              help: 'A JSON object, with expressions as its values, or an expression that gives one',
              initial: '{}',
              kind: 'long_text',
            },
          ],
        };
  },
  edits(fixCase, values) {
    const found = serverTool(fixCase, values);
    if (typeof found === 'string') return found;
    const text = (values['arguments'] ?? '').trim();
    const given = text.startsWith('=') ? text : jsonIn(text === '' ? '{}' : text);
    if (typeof given !== 'string' && (!isObject(given) || Array.isArray(given)))
      return 'Write the arguments as a JSON object.';
    const { server, name: tool, made } = found;
    return [...made, ...replaced(fixCase, MCP, { server, tool, arguments: given })];
  },
};

/** The tools of an element that wait for something that carries them out. */
function waitingTools({ document, element }: FixCase): readonly string[] {
  return missingCode(document, element).flatMap(({ kind, name }) =>
    kind === 'tool' ? [name] : [],
  );
}

export const BY_MCP: Fix = {
  id: 'by_mcp',
  portability: SERVER_GOES_WITH,
  form(fixCase) {
    const [tool] = waitingTools(fixCase);
    return tool === undefined
      ? undefined
      : {
          title: 'Let an MCP server carry it out',
          about: 'The model goes on calling the tool by its name; the server answers.',
          fields: serverFields(fixCase, tool),
        };
  },
  edits(fixCase, values) {
    const found = serverTool(fixCase, values);
    if (typeof found === 'string') return found;
    const { server, name, made } = found;
    return [
      ...made,
      ...waitingTools(fixCase).flatMap((tool): DocumentEdit[] => [
        { op: 'delete', path: ['tools', tool, 'implementation'] },
        { op: 'set', path: ['tools', tool, 'mcp'], value: { server, name } },
      ]),
    ];
  },
};
