import type { Item, JsonObject } from '../items/item.ts';
import { placeholdersIn } from '../items/placeholders.ts';
import { stepTypeOfTool } from '../items/tool-types.ts';
import { isObject } from '../kernel/json.ts';
import { withArguments } from './tool-arguments.ts';

/** What a built-in step is called with to carry out a tool. */
export interface ToolStep {
  readonly type: string;
  readonly version: number;
  readonly parameters: JsonObject;
  readonly items: readonly Item[];
}

interface ToolOf {
  readonly type: string;
  readonly version: number;
  readonly parameters: JsonObject;
}

const CODE_VERSION = 2;
const REQUEST_VERSION = 4.2;

/** How a value is written where it stands. */
type Written = (value: unknown) => string;

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const inJson: Written = (value) =>
  typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value);
const inAddress: Written = (value) => encodeURIComponent(plain(value));

/** A text as an expression, without a brace that could end it. */
function asExpression(text: string): string {
  const quoted = JSON.stringify(text).replace(/[{}]/g, (one) =>
    one === '{' ? '\\u007b' : '\\u007d',
  );
  return `{{ ${quoted} }}`;
}

/** A text of the settings with what the model gave in its placeholders: as data, never as code. */
function filledText(setting: unknown, given: JsonObject, written: Written): unknown {
  if (typeof setting !== 'string') return setting;
  const isExpression = setting.startsWith('=');
  const parts: string[] = [];
  let done = 0;
  for (const { name, at, end } of placeholdersIn(setting)) {
    if (!Object.hasOwn(given, name)) continue;
    const text = written(given[name]);
    parts.push(setting.slice(done, at), isExpression ? asExpression(text) : text);
    done = end;
  }
  return parts.join('') + setting.slice(done);
}

function valuesOf(holder: unknown): JsonObject[] {
  const values = isObject(holder) ? holder['values'] : undefined;
  return Array.isArray(values) ? values.filter(isObject) : [];
}

/** Pairs of names and values: those of the author, and those that the model gives by their names. */
function pairs(holder: unknown, given: JsonObject): JsonObject {
  const parameters = valuesOf(holder).flatMap((one): JsonObject[] => {
    const { name, value, valueProvider = value === undefined ? '' : 'fieldValue' } = one;
    if (valueProvider === 'fieldValue') return [{ name, value: filledText(value, given, plain) }];
    const key = String(name);
    return Object.hasOwn(given, key) ? [{ name, value: plain(given[key]) }] : [];
  });
  return { parameters };
}

interface Part {
  readonly part: 'Query' | 'Headers' | 'Body';
  /** Where HTTP Request has the pairs. */
  readonly pairs: string;
}

const PARTS: readonly Part[] = [
  { part: 'Query', pairs: 'queryParameters' },
  { part: 'Headers', pairs: 'headerParameters' },
  { part: 'Body', pairs: 'bodyParameters' },
];

/** One part of a request, in the settings of HTTP Request. */
function partOf(
  parameters: JsonObject,
  given: JsonObject,
  { part, pairs: place }: Part,
): JsonObject {
  if (parameters[`send${part}`] !== true) return {};
  const way = parameters[`specify${part}`] ?? 'keypair';
  const sent = { [`send${part}`]: true };
  const json = (text: unknown): JsonObject => ({
    ...sent,
    [`specify${part}`]: 'json',
    [`json${part}`]: text,
  });
  if (way === 'json') return json(filledText(parameters[`json${part}`], given, inJson));
  if (way === 'model') return json(JSON.stringify(given[part.toLowerCase()] ?? {}));
  return { ...sent, [place]: pairs(parameters[`parameters${part}`], given) };
}

/** The settings of HTTP Request for the older tool that sends one. */
function requestOf(parameters: JsonObject, given: JsonObject): JsonObject {
  const { method, url, authentication, nodeCredentialType, genericAuthType } = parameters;
  return {
    ...{ method: method ?? 'GET', url: filledText(url, given, inAddress), options: {} },
    ...{ authentication: authentication ?? 'none', nodeCredentialType, genericAuthType },
    ...Object.assign({}, ...PARTS.map((part) => partOf(parameters, given, part))),
  };
}

/** Code of a tool gives a text; it knows what the model gave as `query`. */
function codeOf({ jsCode, specifyInputSchema }: JsonObject): JsonObject {
  const query = specifyInputSchema === true ? 'given' : 'given.query';
  const source = `const given = items[0].json; const query = ${query};
const answer = await (async () => { ${String(jsCode ?? '')}
})();
return [{ json: { response: typeof answer === 'number' ? String(answer) : answer } }];`;
  return { jsCode: source };
}

/** What carries out a node that is offered to a model as a tool; undefined when nothing does. */
export function toolStep(tool: ToolOf, given: JsonObject): ToolStep | undefined {
  const type = stepTypeOfTool(tool.type);
  if (type === undefined) return undefined;
  const items: readonly Item[] = [{ json: {} }];
  const { parameters, version } = tool;
  switch (tool.type.slice(tool.type.lastIndexOf('.') + 1)) {
    case 'toolThink':
      return {
        type,
        version: 1,
        parameters: {},
        items: [{ json: { output: plain(given['input'] ?? '') } }],
      };
    case 'toolCode':
      return {
        type,
        version: CODE_VERSION,
        parameters: codeOf(parameters),
        items: [{ json: given }],
      };
    case 'toolHttpRequest':
      return { type, version: REQUEST_VERSION, parameters: requestOf(parameters, given), items };
    default: {
      const filled = withArguments(parameters, given);
      return { type, version, parameters: isObject(filled) ? filled : {}, items };
    }
  }
}
