import { isObject } from '../kernel/json.ts';
import { AIRTABLE, AIRTABLE_V1 } from './rows/airtable.ts';
import { BASEROW } from './rows/baserow.ts';
import { DISCORD, DISCORD_V1 } from './rows/discord.ts';
import { GITHUB } from './rows/github.ts';
import { LINKED_IN } from './rows/linked-in.ts';
import { MATTERMOST } from './rows/mattermost.ts';
import { OUTLOOK, TEAMS, TEAMS_V1 } from './rows/microsoft.ts';
import { NOTION } from './rows/notion.ts';
import { OPEN_AI, OPEN_AI_OLD, OPEN_AI_V2 } from './rows/open-ai.ts';
import { SLACK, SLACK_V1 } from './rows/slack.ts';
import {
  CLEARBIT,
  COIN_GECKO,
  DEEPL,
  HOME_ASSISTANT,
  OPEN_WEATHER_MAP,
  PUSHOVER,
  TWITTER,
} from './rows/small-services.ts';
import { SUPABASE } from './rows/supabase.ts';
import { TELEGRAM } from './rows/telegram.ts';
import { TODOIST } from './rows/todoist.ts';
import { WORD_PRESS } from './rows/word-press.ts';
import { ASANA, CLICK_UP, SEND_GRID, STRIPE, TWILIO } from './rows/work-services.ts';
import type { Row, RowEntry, Service } from './service.ts';

/** Every service, one for each range of versions of a type. */
export const SERVICES: readonly Service[] = [
  AIRTABLE,
  AIRTABLE_V1,
  BASEROW,
  DISCORD,
  DISCORD_V1,
  GITHUB,
  LINKED_IN,
  MATTERMOST,
  OUTLOOK,
  TEAMS_V1,
  TEAMS,
  NOTION,
  OPEN_AI,
  OPEN_AI_V2,
  OPEN_AI_OLD,
  SLACK,
  SLACK_V1,
  OPEN_WEATHER_MAP,
  COIN_GECKO,
  DEEPL,
  CLEARBIT,
  HOME_ASSISTANT,
  TWITTER,
  PUSHOVER,
  SUPABASE,
  TODOIST,
  WORD_PRESS,
  TELEGRAM,
  ASANA,
  CLICK_UP,
  SEND_GRID,
  STRIPE,
  TWILIO,
];

/** A node as far as a row is chosen by it. */
export interface ServiceNode {
  readonly type: string;
  readonly version: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The row of a node, or why there is none: the settings that no row has, in words. */
export type FoundRow =
  | { readonly service: Service; readonly row: Row; readonly by: readonly string[] }
  | { readonly lacks: string };

/** What a setting says; undefined when it is computed for each item. */
function plain(value: unknown, or: string): string | undefined {
  const said = isObject(value) ? value['value'] : (value ?? or);
  const text = said === '' ? or : String(said);
  return text.startsWith('=') ? undefined : unmasked(text);
}

/** Published exports have `{{ $credentials.oAuth2 }}` where the word `oAuth2` stood. */
export function unmasked(text: string): string {
  return /^\{\{ \$credentials\.(\w+) \}\}$/.exec(text)?.[1] ?? text;
}

function settingAt(parameters: unknown, path: string): unknown {
  let at = parameters;
  for (const key of path.split('.'))
    at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  return at;
}

function chosen(
  service: Service,
  entry: RowEntry,
  parameters: ServiceNode['parameters'],
  by: readonly string[],
): FoundRow {
  if (!('by' in entry)) return { service, row: entry, by };
  const said = plain(settingAt(parameters, entry.by), entry.or);
  if (said === undefined) return { lacks: `${entry.by} computed for each item` };
  const next = Object.hasOwn(entry.of, said) ? entry.of[said] : undefined;
  if (next === undefined) return { lacks: `${entry.by} = ${said}` };
  return chosen(service, next, parameters, [...by, entry.by]);
}

/** The words that name an operation. */
function operationIn(
  { resource: or, operation: ors }: Service,
  { resource: given, operation }: ServiceNode['parameters'],
): { readonly key: string } | { readonly lacks: string } {
  const resource = or === undefined ? undefined : plain(given, or);
  if (or !== undefined && resource === undefined)
    return { lacks: 'resource computed for each item' };
  const preset = typeof ors === 'string' ? ors : (ors[resource ?? ''] ?? '');
  const named = plain(operation, preset);
  if (named === undefined) return { lacks: 'operation computed for each item' };
  return { key: resource === undefined ? named : `${resource}/${named}` };
}

const BY_TYPE: ReadonlyMap<string, readonly Service[]> = Map.groupBy(SERVICES, ({ type }) => type);

/** True for a type that rows carry out. */
export function hasRows(type: string): boolean {
  return BY_TYPE.has(type);
}

/** The row that carries a node out; undefined for a type that is no service here. */
export function findRow({ type, version, parameters }: ServiceNode): FoundRow | undefined {
  const own = BY_TYPE.get(type);
  if (own === undefined) return undefined;
  const service = own.find(({ versions: [low, high] }) => version >= low && version <= high);
  const newest = own.toSorted((a, b) => b.versions[1] - a.versions[1])[0];
  const known = service ?? (newest && version > newest.versions[1] ? newest : undefined);
  if (known === undefined) return { lacks: `version ${version}` };
  const operation = operationIn(known, parameters);
  if ('lacks' in operation) return operation;
  const { key } = operation;
  const entry = Object.hasOwn(known.rows, key) ? known.rows[key] : undefined;
  if (entry === undefined) return { lacks: `the operation ${key}` };
  return chosen(known, entry, parameters, []);
}

/** The types that are carried out by rows, with the lowest and the highest version of each. */
export function serviceVersions(): ReadonlyMap<string, readonly [lowest: number, highest: number]> {
  const out = new Map<string, readonly [number, number]>();
  for (const { type, versions } of SERVICES) {
    const [low, high] = out.get(type) ?? versions;
    out.set(type, [Math.min(low, versions[0]), Math.max(high, versions[1])]);
  }
  return out;
}
