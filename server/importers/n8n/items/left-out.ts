import { toldValue } from '../../told-value.ts';
import { at, hasText, mapOf, type Value } from '../../value.ts';
import { BASE, type N8nNode } from '../document.ts';
import { unservedOf } from '../unserved-of.ts';

/** What no handler does, although it has the type: a setting and its values. */
const LEFT_OUT: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>> = new Map([
  [`${BASE}convertToFile`, { operation: ['iCal', 'ods', 'rtf', 'xls', 'xlsx'] }],
  [`${BASE}extractFromFile`, { operation: ['fromIcs', 'ods', 'pdf', 'rtf', 'xls', 'xlsx'] }],
  [`${BASE}spreadsheetFile`, { fileFormat: ['ods', 'rtf', 'xls', 'xlsx'] }],
  [`${BASE}code`, { language: ['python', 'pythonNative'] }],
  [
    `${BASE}removeDuplicates`,
    { operation: ['removeItemsSeenInPreviousExecutions', 'clearDeduplicationHistory'] },
  ],
  [`${BASE}respondToWebhook`, { respondWith: ['binary', 'jwt'] }],
  [`${BASE}wait`, { resume: ['webhook', 'form'] }],
]);
/** Reads and writes files of the machine, which its handler refuses. */
const DISK_FILES = `${BASE}readWriteFile`;
const SPREADSHEET = `${BASE}spreadsheetFile`;

/** The settings that a handler knows of a type which has more. */
interface Known {
  readonly settings: readonly string[];
  readonly options: readonly string[];
  /** Without these the source itself cannot run the node. */
  readonly needed: readonly string[] | ((node: N8nNode) => readonly string[]);
  /** The values that a setting may have. */
  readonly values?: Readonly<Record<string, readonly Value[]>>;
}

const KNOWN: ReadonlyMap<string, Known> = new Map<string, Known>([
  [
    `${BASE}emailSend`,
    {
      settings: [
        ...['resource', 'operation', 'fromEmail', 'toEmail', 'ccEmail', 'bccEmail', 'subject'],
        ...['emailFormat', 'text', 'html', 'attachments'],
      ],
      options: [
        ...['appendAttribution', 'attachments', 'ccEmail', 'bccEmail', 'replyTo'],
        'allowUnauthorizedCerts',
      ],
      needed: ['toEmail', 'fromEmail'],
      values: {
        operation: ['send'],
        emailFormat: ['text', 'html', 'both'],
        'options.allowUnauthorizedCerts': [false],
      },
    },
  ],
  [
    `${BASE}rssFeedRead`,
    {
      settings: ['url'],
      options: ['customFields', 'ignoreSSL'],
      needed: ['url'],
      values: { 'options.ignoreSSL': [false] },
    },
  ],
  [
    `${BASE}postgres`,
    {
      settings: [
        ...['resource', 'operation', 'schema', 'table', 'query', 'columns', 'dataMode'],
        ...['valuesToSend', 'columnToMatchOn', 'valueToMatchOn', 'returnAll', 'limit', 'where'],
        ...['combineConditions', 'sort', 'deleteCommand', 'restartSequences', 'updateKey'],
        ...['returnFields', 'additionalFields'],
      ],
      options: [
        ...['queryReplacement', 'queryBatching', 'connectionTimeout', 'outputColumns'],
        ...['skipOnConflict', 'replaceEmptyStrings', 'largeNumbersOutput', 'cascade'],
        ...['nodeVersion', 'delayClosingIdleConnection'],
      ],
      needed: ({ parameters }) =>
        parameters.get('operation') === 'executeQuery' ? ['query'] : ['table'],
      values: {
        resource: ['database'],
        operation: ['executeQuery', 'insert', 'update', 'upsert', 'select', 'deleteTable'],
      },
    },
  ],
]);

/** Settings that a node has as a tool, which its description was made of. */
const OF_TOOLS: ReadonlySet<string> = new Set([
  'descriptionType',
  'toolDescription',
  'authentication',
]);

function unknownSetting({ parameters }: N8nNode, known: Known): string | undefined {
  const named = [...parameters.keys()].find(
    (key) => key !== 'options' && !OF_TOOLS.has(key) && !known.settings.includes(key),
  );
  if (named !== undefined) return `the setting '${named}'`;
  const options = [...mapOf(parameters.get('options')).keys()];
  const option = options.find((key) => !known.options.includes(key));
  return option === undefined ? undefined : `the option '${option}'`;
}

function otherValue({ parameters }: N8nNode, known: Known): string | undefined {
  for (const [name, values] of Object.entries(known.values ?? {})) {
    const value = at(parameters, ...name.split('.'));
    if (value !== undefined && !values.includes(value))
      return `${name} = ${toldValue(String(value)) ?? 'another value'}`;
  }
  return undefined;
}

/** True for a text, or for what is chosen from a list and has one. */
function isGiven(value: Value | undefined): boolean {
  return hasText(value) || hasText(at(value, 'value'));
}

function unknownTo(node: N8nNode, known: Known): string | undefined {
  const other = unknownSetting(node, known) ?? otherValue(node, known);
  if (other !== undefined) return other;
  const needed = typeof known.needed === 'function' ? known.needed(node) : known.needed;
  const lacking = needed.find((name) => !isGiven(node.parameters.get(name)));
  return lacking === undefined ? undefined : `no '${lacking}'`;
}

/**
 * What the handler of a type cannot do for a node: a setting in words.
 *
 * @param type The type whose handler it is, where the node is a tool of it.
 */
export function leftOut(node: N8nNode, type = node.type): string | undefined {
  if (type === DISK_FILES) return 'files of the machine';
  const writesXls = node.parameters.get('operation') === 'toFile';
  if (type === SPREADSHEET && writesXls && !node.parameters.has('fileFormat'))
    return 'no file format, which stands for xls';
  for (const [name, values] of Object.entries(LEFT_OUT.get(type) ?? {})) {
    const value = node.parameters.get(name);
    if (typeof value === 'string' && values.includes(value)) return `${name} = ${value}`;
  }
  const known = KNOWN.get(type);
  return known === undefined ? unservedOf({ ...node, type }) : unknownTo(node, known);
}

/** A setting that is not there. */
const NEEDED = /^no '?\w+'?$/;

/** Why a node cannot run by the handler of a type. */
export function lacksWords(type: string, setting: string): string {
  return NEEDED.test(setting)
    ? `${setting}, without which ${type} has nothing to do`
    : `${setting}, which the built-in handler of ${type} does not do`;
}
