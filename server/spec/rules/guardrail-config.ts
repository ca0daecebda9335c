import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { patternFault } from '../regex/pattern-fault.ts';
import { inQuotes, nameOf } from '../schema/block.ts';
import type { Advice, Diagnostic } from '../values/diagnostic.ts';
import { meant, nearestName } from '../values/nearest.ts';
import { isNonTextValue } from '../values/non-text.ts';
import { fault } from './finding.ts';

/** Nothing was written: null, or an empty text, list or mapping (decisions 49). */
export function isUnset(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** One check stands where a list of them is read. */
export const MAKE_LIST: Advice = { text: 'Make it a list.', mend: { change: 'make_list' } };

type CheckType = 'keyword' | 'regex' | 'function' | 'agent';

/** The list that each kind of check reads, and what one of its items is called. */
const LISTS = { keyword: 'keywords', regex: 'patterns' } as const;
const WORDS = { keyword: 'keyword', regex: 'pattern' } as const;
const OTHER = { keyword: 'regex', regex: 'keyword' } as const;
const ITEM_KEYS = ['id', 'type', 'action', 'mode', 'ref', 'target', 'config'];

function problem(
  findings: Diagnostic[],
  path: string,
  message: string,
  advice: Advice | string,
): void {
  findings.push(fault('E_GUARDRAIL_CONFIG', path, message, advice));
}

function readText(
  item: Json,
  path: string,
  type: 'keyword' | 'regex',
  isDate: boolean,
  findings: Diagnostic[],
): string | undefined {
  if (typeof item !== 'string' || isDate) {
    const found = isDate ? 'a date' : nameOf(item);
    const quoted = typeof item === 'object' ? 'Write it as text.' : inQuotes(item);
    problem(findings, path, `A ${WORDS[type]} is text, found ${found}.`, quoted);
    return undefined;
  }
  const wrong = type === 'regex' ? patternFault(item) : undefined;
  if (wrong === undefined) return item;
  problem(findings, path, `This is no regular expression: ${wrong}.`, 'Mend the pattern.');
  return undefined;
}

function readList(
  value: Json | undefined,
  path: string,
  type: 'keyword' | 'regex',
  findings: Diagnostic[],
): string[] | undefined {
  if (value === undefined || (value !== null && isUnset(value))) return [];
  if (!Array.isArray(value)) {
    const message = `The ${LISTS[type]} are a list, found ${nameOf(value)}.`;
    problem(findings, path, message, typeof value === 'string' ? MAKE_LIST : 'Write a list.');
    return undefined;
  }
  const texts = value.map((item, index) =>
    readText(item, `${path}[${index}]`, type, isNonTextValue(value, index), findings),
  );
  const sound = texts.filter((text) => text !== undefined);
  return sound.length === texts.length ? sound : undefined;
}

/** What was written for a check and is not read by it. */
function unread(
  item: JsonObject,
  config: JsonObject,
  type: 'keyword' | 'regex',
  isEmpty: boolean,
): [place: string, key: string][] {
  const own: string = LISTS[type];
  const foreign: string = LISTS[OTHER[type]];
  const inConfig = Object.keys(config).filter(
    (key) => key !== own && (key === foreign || isEmpty) && !isUnset(config[key]),
  );
  const found = inConfig.map((key): [string, string] => [`config.${key}`, key]);
  if (!isEmpty) return found;
  for (const key of Object.keys(item)) {
    if (isUnset(item[key])) continue;
    const misplaced = key === own || key === foreign || key === 'ref';
    const mistyped = !ITEM_KEYS.includes(key) && nearestName(key, ['config']) !== undefined;
    if (misplaced || mistyped) found.push([key, key]);
  }
  return found;
}

function adviceFor(place: string, key: string, type: 'keyword' | 'regex'): Advice | string {
  const own = LISTS[type];
  const other = OTHER[type];
  if (key === LISTS[other]) {
    const text = `Set type to "${other}", or write ${own}.`;
    return { text, mend: { change: 'set_type', type: other } };
  }
  if (key === own) return `Move it to config.${own}.`;
  const known = place === key ? ['config'] : [own];
  return meant(key, known, `Write config.${own}.`);
}

/**
 * The keywords or patterns of a check; undefined when they cannot be applied, which is then a
 * finding. A check that reads nothing of what its author wrote would pass everything, so that is one
 * too (decisions 49).
 */
export function readGuardrailConfig(
  item: JsonObject,
  type: CheckType,
  path: string,
  findings: Diagnostic[],
): string[] | undefined {
  const { config } = item;
  if (config !== undefined && !isUnset(config) && !isObject(config)) {
    const message = `The config of a guardrail is a mapping, found ${nameOf(config)}.`;
    problem(findings, `${path}.config`, message, 'Write it as a mapping.');
    return undefined;
  }
  if (type === 'function' || type === 'agent') return [];
  const settings = isObject(config) ? config : {};
  const before = findings.length;
  const own = LISTS[type];
  const texts = readList(settings[own], `${path}.config.${own}`, type, findings);
  if (texts === undefined) return undefined;
  for (const [place, key] of unread(item, settings, type, texts.length === 0)) {
    const message = `A check of the type ${type} does not read ${key}; it reads config.${own}.`;
    problem(findings, `${path}.${place}`, message, adviceFor(place, key, type));
  }
  return findings.length === before ? texts : undefined;
}
