// What is read before the language is known: the files that an entry imports at once, and theirs.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

function importsOf(root, file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
  );
  return source.statements
    .filter((statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
    .filter(
      (statement) =>
        statement.importClause?.isTypeOnly !== true && statement.moduleSpecifier !== undefined,
    )
    .map((statement) => statement.moduleSpecifier.text)
    .filter((name) => name.startsWith('.') && /\.tsx?$/.test(name))
    .map((name) => path.posix.join(path.posix.dirname(file), name));
}

/** The files that are read with an entry. */
export function earlyFiles(root, entries) {
  const seen = new Set();
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file) || !existsSync(path.join(root, file))) continue;
    seen.add(file);
    queue.push(...importsOf(root, file));
  }
  return seen;
}

/** True for a call that is made when its module is read. */
export function isEarly(node) {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at)) return false;
    if (
      ts.isPropertyDeclaration(at) &&
      !at.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)
    )
      return false;
  }
  return true;
}
