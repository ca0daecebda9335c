import type { Item, JsonObject } from '../../../items/item.ts';
import { type Handler, type HandlerCall, itemsOf, StepFailure } from '../../handler.ts';
import type { SqlQuery, SqlSession } from '../../sql-port.ts';
import { credentialOfKind } from '../credential.ts';
import type { OneItem } from '../each-item.ts';
import { FieldFailure } from '../fields.ts';
import { type ItemOutcome, outputsOf } from '../on-error.ts';
import { listIn } from '../settings.ts';
import { type Settings, settingsByItem } from '../step-settings.ts';
import { type QueryOf, queriesOf } from './query-values.ts';
import { chosenText, rowFieldsOf } from './row-fields.ts';
import {
  deleteStatement,
  insertStatement,
  quotedTable,
  selectStatement,
  type Table,
  updateStatement,
  upsertStatement,
  type Which,
} from './statements.ts';

const CREDENTIAL = 'postgres';
const CONNECT_TIMEOUT_S = 30;
const DEFAULT_LIMIT = 50;
const SUCCESS: JsonObject = { success: true };
const JSON_TYPES: readonly unknown[] = ['json', 'jsonb'];

/** One time that the node runs, with its connection. */
interface Step {
  readonly session: SqlSession;
  readonly queryOf: QueryOf;
  /** The columns that hold JSON, by their table. */
  readonly jsonColumns: Map<string, Promise<ReadonlySet<string>>>;
}

function operationOf({ settings }: Pick<OneItem, 'settings'>): string {
  return settings.text('operation', 'insert');
}

function tableOf(one: OneItem): Table {
  const name = chosenText(one, 'table');
  if (name === '') throw new StepFailure('The step names no table.');
  return { schema: chosenText(one, 'schema', 'public') || 'public', name };
}

function columnsGiven({ settings, call }: OneItem): readonly string[] {
  return settings.names(call.node.version < 2 ? 'returnFields' : 'options.outputColumns');
}

async function readJsonColumns(session: SqlSession, { schema, name }: Table) {
  const text =
    'SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2';
  const columns = await session.query({ text, values: [schema, name] });
  const found = columns.filter(({ data_type }) => JSON_TYPES.includes(data_type));
  return new Set(found.map(({ column_name }) => String(column_name)));
}

/** Lists for columns of JSON are its texts: the driver would write a list of the database. */
async function withJson(step: Step, table: Table, fields: JsonObject): Promise<JsonObject> {
  if (!Object.values(fields).some(Array.isArray)) return fields;
  const key = quotedTable(table);
  const known = step.jsonColumns.get(key) ?? readJsonColumns(step.session, table);
  step.jsonColumns.set(key, known);
  const json = await known;
  const entries = Object.entries(fields).map(([name, value]) => {
    return [name, Array.isArray(value) && json.has(name) ? JSON.stringify(value) : value] as const;
  });
  return Object.fromEntries(entries);
}

async function writeStatement(one: OneItem, step: Step, operation: string): Promise<SqlQuery> {
  const table = tableOf(one);
  const { fields: read, matching } = rowFieldsOf(one, operation);
  const fields = await withJson(step, table, read);
  const row = { table, fields, given: columnsGiven(one) };
  if (operation === 'update') return updateStatement(row, matching);
  if (operation === 'upsert') return upsertStatement(row, matching);
  return insertStatement(row, one.settings.isOn('options.skipOnConflict'));
}

function whichOf(one: OneItem): Which {
  const combine = one.settings.text('combineConditions', 'AND') === 'OR' ? 'OR' : 'AND';
  const rules = listIn(one.settings.object('where'), 'values');
  return { table: tableOf(one), rules, combine };
}

function selectionOf(one: OneItem): SqlQuery {
  const { settings } = one;
  const limit = Number(settings.value('limit', DEFAULT_LIMIT));
  return selectStatement({
    ...whichOf(one),
    columns: settings.names('options.outputColumns'),
    sort: listIn(settings.object('sort'), 'values'),
    limit: settings.isOn('returnAll') ? undefined : limit,
  });
}

function deletionOf(one: OneItem): SqlQuery {
  const { settings } = one;
  const table = quotedTable(tableOf(one));
  const cascade = settings.isOn('options.cascade') ? ' CASCADE' : '';
  const restart = settings.isOn('restartSequences') ? ' RESTART IDENTITY' : '';
  switch (settings.text('deleteCommand', 'truncate')) {
    case 'drop':
      return { text: `DROP TABLE IF EXISTS ${table}${cascade}`, values: [] };
    case 'delete':
      return deleteStatement(whichOf(one));
    default:
      return { text: `TRUNCATE TABLE ${table}${restart}${cascade}`, values: [] };
  }
}

async function statementOf(one: OneItem, step: Step): Promise<SqlQuery> {
  const operation = operationOf(one);
  switch (operation) {
    case 'executeQuery':
      return step.queryOf(one.item, one.at);
    case 'select':
      return selectionOf(one);
    case 'deleteTable':
      return deletionOf(one);
    case 'insert':
    case 'update':
    case 'upsert':
      return writeStatement(one, step, operation);
    default:
      throw new StepFailure(`There is no operation '${operation}' here.`);
  }
}

/** Without rows the source says that it was done, but for what asks for rows. */
function itemsGiven(one: OneItem, { text }: SqlQuery, rows: readonly JsonObject[]): Item[] {
  const asks =
    operationOf(one) === 'select' || (one.call.node.version >= 2.3 && /^\s*select\b/i.test(text));
  const given = rows.length === 0 && !asks ? [SUCCESS] : rows;
  return given.map((json) => ({ json, pairedItem: { item: one.at } }));
}

async function outcomeOf(one: OneItem, step: Step): Promise<ItemOutcome> {
  try {
    const query = await statementOf(one, step);
    return itemsGiven(one, query, await step.session.query(query));
  } catch (error) {
    if (!(error instanceof StepFailure || error instanceof FieldFailure)) throw error;
    return { failed: error.message };
  }
}

/** One after another; what was done before a failure stays. */
async function independently(all: readonly OneItem[], step: Step): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  for (const one of all) {
    const outcome = await outcomeOf(one, step);
    outcomes.push(outcome);
    if ('failed' in outcome && one.call.node.onError === 'stop') break;
  }
  return outcomes;
}

/** All or nothing: behind a failure nothing is given but why. */
async function together(all: readonly OneItem[], step: Step): Promise<ItemOutcome[]> {
  if (all.length < 2) return independently(all, step);
  await step.session.query({ text: 'BEGIN', values: [] });
  const outcomes: ItemOutcome[] = [];
  for (const one of all) {
    const outcome = await outcomeOf(one, step);
    if ('failed' in outcome) {
      await step.session.query({ text: 'ROLLBACK', values: [] });
      return [...outcomes.map(() => []), outcome];
    }
    outcomes.push(outcome);
  }
  await step.session.query({ text: 'COMMIT', values: [] });
  return outcomes;
}

async function openSession(call: HandlerCall, first: Settings): Promise<SqlSession> {
  const { kind: _, port, ...server } = await credentialOfKind(call, CREDENTIAL, 'database');
  const seconds = Number(first.value('options.connectionTimeout', CONNECT_TIMEOUT_S));
  const large =
    first.text('options.largeNumbersOutput') || first.text('additionalFields.largeNumbersOutput');
  const connectTimeoutMs = (seconds > 0 ? seconds : CONNECT_TIMEOUT_S) * 1000;
  return call.postgres(
    { ...server, port: Number(port), connectTimeoutMs },
    { largeNumbers: large === 'numbers' },
  );
}

/** Postgres, all versions: one statement for each item, over one connection. */
export const handlePostgres: Handler = async (call) => {
  const items = itemsOf(call);
  const settings = await settingsByItem(call, items);
  const [first] = settings;
  if (first === undefined) return outputsOf(items, [], call.node.onError);
  const all = settings.map((own, at) => {
    return { call, item: items[at] ?? { json: {} }, at, settings: own };
  });
  const queryOf = await queriesOf(call, items);
  const session = await openSession(call, first);
  try {
    const step: Step = { session, queryOf, jsonColumns: new Map() };
    const way = first.text('options.queryBatching') || first.text('additionalFields.mode');
    const run = way === 'independently' ? independently : together;
    return outputsOf(items, await run(all, step), call.node.onError);
  } finally {
    await session.close();
  }
};
