import alasql from 'alasql';

// Queries over the inputs of a step: each is a table, `input1`, `input2` and so on. The library makes
// functions of what it reads; they are in the confined interpreter as everything here is.

type Row = Record<string, unknown>;

interface Column {
  readonly columnid?: string;
}

interface Table {
  readonly tableid?: string;
  readonly as?: string;
}

/** The tree of a statement, as far as it is read here. */
interface Statement {
  readonly columns?: Column[];
  readonly from?: readonly Table[];
  readonly joins?: readonly { readonly table?: Table; readonly as?: string }[];
  compile(database: string): () => unknown;
}

interface DataTable {
  data: readonly Row[];
}

interface Database {
  readonly databaseid: string;
  readonly tables: Record<string, DataTable>;
}

/** What is used of the library: its own types tell neither its trees nor its tables. */
interface Library {
  parse(query: string): { readonly statements: readonly Statement[] };
  readonly Database: new () => Database;
  readonly databases: Record<string, unknown>;
  readonly Table: new (of: object) => DataTable;
  readonly yy: { readonly Column: new (of: object) => Column };
}

const library = alasql as unknown as Library;

/** The number of the item that a part of a row is made of. */
export interface RowPart {
  readonly input: number;
  readonly item: number;
}

export interface SqlAnswer {
  readonly rows: readonly unknown[];
  /** By row; null where rows are not made of one item of each table. */
  readonly parts: readonly (readonly RowPart[])[] | null;
}

const PLACE = '_item_of_';
const INPUT = /^input(\d+)$/i;
/** A statement with nothing else gives rows each of which is made of one row of each table. */
const PLAIN_PARTS = new Set([
  'columns',
  'from',
  'joins',
  'where',
  'order',
  'limit',
  'offset',
  'top',
]);
/** What the library calls a function over many rows in its tree. */
const AGGREGATE = '"aggregatorid"';

interface TableUse {
  readonly input: number;
  readonly name: string;
}

function useOf({ tableid = '', as = tableid }: Table): TableUse | undefined {
  const input = INPUT.exec(tableid)?.[1];
  return input === undefined ? undefined : { input: Number(input) - 1, name: as };
}

/** The tables of a statement whose rows can tell what they are made of. */
function usesOf(statement: Statement): TableUse[] | null {
  const { columns, from = [], joins = [] } = statement;
  const keys = Object.keys(statement);
  if (columns === undefined || !keys.every((key) => PLAIN_PARTS.has(key))) return null;
  if (JSON.stringify(columns).includes(AGGREGATE)) return null;
  const joined = joins.map(({ table, as }) => ({ ...table, ...(as === undefined ? {} : { as }) }));
  const uses = [...from, ...joined].map(useOf);
  return uses.every((use) => use !== undefined) ? uses : null;
}

function partsOf(row: Row, uses: readonly TableUse[]): RowPart[] {
  return uses.flatMap(({ input }, at) => {
    const item = row[`${PLACE}${at}`];
    return typeof item === 'number' ? [{ input, item }] : [];
  });
}

function withoutPlaces(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith(PLACE)));
}

/** Marks each row with its number, and asks for the marks of each table. */
function mark(statement: Statement, uses: readonly TableUse[]): void {
  for (const [at, { name, input }] of uses.entries()) {
    const place = { columnid: `${PLACE}input${input + 1}`, tableid: name, as: `${PLACE}${at}` };
    statement.columns?.push(new library.yy.Column(place));
  }
}

function fill(database: Database, inputs: readonly (readonly Row[])[], isMarked: boolean): void {
  for (const [at, rows] of inputs.entries()) {
    const name = `input${at + 1}`;
    const field = `${PLACE}${name}`;
    const table = new library.Table({});
    table.data = isMarked ? rows.map((row, item) => ({ ...row, [field]: item })) : rows;
    database.tables[name] = table;
  }
}

/**
 * Runs a query over the inputs of a step.
 *
 * @throws what the library says of one that it cannot run
 */
export function runSql(query: string, inputs: readonly (readonly Row[])[]): SqlAnswer {
  const [statement, ...others] = library.parse(query).statements;
  if (statement === undefined || others.length > 0)
    throw new Error('The query must be one statement');
  const uses = usesOf(statement);
  const database = new library.Database();
  try {
    fill(database, inputs, uses !== null);
    if (uses !== null) mark(statement, uses);
    const rows = statement.compile(database.databaseid)();
    if (!Array.isArray(rows)) throw new Error('The query gives no rows');
    if (uses === null) return { rows, parts: null };
    return { rows: rows.map(withoutPlaces), parts: rows.map((row: Row) => partsOf(row, uses)) };
  } finally {
    delete library.databases[database.databaseid];
  }
}
