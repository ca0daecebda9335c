// One door to SQL, read from the syntax of every service: queries stand in repositories
// (`*-repository.ts`), what only one database can do in files named for it (`*-sqlite.ts`,
// `*-postgres.ts`). server/store is the door itself; statements for databases of an author's workflow stand in server/handlers/n8n/sql,
// which cannot reach the store. An argument names another tree to look at.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './toolchain.mjs';

const tree = path.resolve(root, process.argv[2] ?? '.');
const FOLDER = 'server';
const EXEMPT = /^server\/store\/|^server\/handlers\/n8n\/sql\/|\.test\.ts$|\.d\.ts$/;
const REPOSITORY = /-repository\.ts$/;
const SQLITE = /-sqlite\.ts$/;
const POSTGRES = /-postgres\.ts$/;

/** Packages and files that make queries; their types may be imported everywhere. */
const QUERY_MAKERS = /^(?:kysely|better-sqlite3)$|\/store\/(?:sync-query|statement-cache)\.ts$/;
/** Methods of the query builder. */
const BUILDER = new Set([
  'selectFrom',
  'selectNoFrom',
  'insertInto',
  'replaceInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
]);
/** Methods of the driver that take or make statements. */
const DRIVER = new Set(['prepare', 'exec']);
const CONNECTIONS = new Set(['sqlite', 'sync']);

/** Words that a text holds only when it is SQL or a part of it. */
const SQL =
  /\bSELECT\b[\s\S]*\bFROM\b|\b(?:INSERT INTO|DELETE FROM|ON CONFLICT|ORDER BY|GROUP BY|(?:INNER|LEFT|CROSS) JOIN|IS (?:NOT )?NULL|(?:CREATE|ALTER|DROP) (?:TABLE|INDEX|TRIGGER))\b|\bUPDATE \w+\s+SET\b|^\s*(?:SELECT|WHERE|BEGIN|COMMIT|ROLLBACK)\b/;
/** What no other database reads, or reads otherwise. */
const DIALECT =
  /\b(?:(?:NOT )?INDEXED(?: BY)?|INSERT OR|REPLACE INTO|PRAGMA|VACUUM|ATTACH|BEGIN (?:IMMEDIATE|EXCLUSIVE)|AS BLOB|WITHOUT ROWID)\b|\b(?:rowid|json_(?:each|extract|tree|group_array|array_length)|unixepoch|strftime|julianday|group_concat|instr|total_changes|last_insert_rowid|data_version|pragma_\w+|sqlite_\w+|fts5)\b|\bMATCH \?|\bGLOB\b|\bCROSS JOIN [\w. ]+ ON\b|(?<=\w )->>?(?= )/;

function* sources(folder) {
  for (const entry of readdirSync(path.join(tree, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file);
    else if (entry.name.endsWith('.ts') && !EXEMPT.test(file)) yield file;
  }
}

/** The last name of `deps.store.sqlite`. */
function lastName(node) {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) ? node.name.text : '';
}

function importsValues({ importClause }) {
  if (importClause === undefined) return true;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return false;
  const { name, namedBindings } = importClause;
  if (name !== undefined || namedBindings === undefined) return name !== undefined;
  if (ts.isNamespaceImport(namedBindings)) return true;
  return namedBindings.elements.some((element) => !element.isTypeOnly);
}

function queryOf(node) {
  if (ts.isImportDeclaration(node) && QUERY_MAKERS.test(node.moduleSpecifier.text)) {
    return importsValues(node) ? `imports ${node.moduleSpecifier.text}` : undefined;
  }
  if (ts.isTaggedTemplateExpression(node) && lastName(node.tag) === 'sql') return 'makes a query';
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  const { name, expression } = node.expression;
  if (BUILDER.has(name.text)) return `calls ${name.text}`;
  const connection = lastName(expression);
  if (DRIVER.has(name.text) && CONNECTIONS.has(connection))
    return `calls ${connection}.${name.text}`;
  return undefined;
}

function settingOf(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  return node.expression.name.text === 'pragma' ? 'calls pragma' : undefined;
}

/** The text of a literal; a template's places are written as `?`. */
function textOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head, ...node.templateSpans.map((span) => span.literal)]
    .map((part) => part.text)
    .join('?');
}

function faultOf(file, node) {
  if (SQLITE.test(file)) return undefined;
  const text = textOf(node);
  const dialect = text === undefined ? settingOf(node) : DIALECT.exec(text)?.[0];
  if (dialect !== undefined) {
    return `only SQLite does this, it belongs in a file *-sqlite.ts: ${dialect}`;
  }
  if (REPOSITORY.test(file) || POSTGRES.test(file)) return undefined;
  const query = text === undefined ? queryOf(node) : SQL.exec(text)?.[0].split('\n')[0];
  return query === undefined ? undefined : `SQL belongs in a file *-repository.ts: ${query}`;
}

function* faults(file) {
  const text = readFileSync(path.join(tree, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const open = [source];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const fault = faultOf(file, node);
    if (fault !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      yield `${file}:${line + 1}: ${fault}`;
    }
    open.push(...node.getChildren(source).toReversed());
  }
}

/** The list of files that are named for a database; undefined where a tree has none. */
const list = path.join(tree, 'ARCHITECTURE.md');
const listed = existsSync(list) ? readFileSync(list, 'utf8') : undefined;

let failed = !existsSync(path.join(tree, FOLDER));
for (const file of failed ? [] : sources(FOLDER)) {
  if (
    (SQLITE.test(file) || POSTGRES.test(file)) &&
    listed?.includes(path.basename(file)) === false
  ) {
    failed = true;
    process.stdout.write(`${file}: not listed in ARCHITECTURE.md\n`);
  }
  for (const fault of faults(file)) {
    failed = true;
    process.stdout.write(`${fault}\n`);
  }
}
process.exit(failed ? 1 : 0);
