// Nothing is decided by a sentence: no test of a message, detail, title or reason for words, and no
// state of a module that is looked up by who is asking. Codes and fields are there for both. An
// argument names another tree to look at.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './toolchain.mjs';

const tree = path.resolve(root, process.argv[2] ?? '.');
const ROOMS = process.argv[2] ? ['.'] : ['server', 'main', 'preload', 'renderer'];
const SOURCE = /(?<!\.test)\.tsx?$/;

/** Sentences that somebody else wrote and gave no code: file → why. */
const EXEMPT = new Map([
  ['server/http/body-parser.ts', 'JSON.parse tells the place of a fault in words alone'],
  ['server/runtime/models/call-model.ts', 'the HTTP client has no code for a broken connection'],
  ['server/expressions/guest/engine-words.ts', 'the engine has no codes for its errors'],
  [
    'server/store/thread-pool.ts',
    'Node has two errors for a thread out of memory, one without code',
  ],
]);

const PROSE = new Set([
  'message',
  'detail',
  'title',
  'reason',
  'summary',
  'advice',
  'hint',
  'prose',
  'suggestion',
]);
const LOOKS = new Set(['includes', 'startsWith', 'endsWith', 'indexOf', 'match', 'search']);
/** What gives the same text in another spelling. */
const SAME = new Set(['trim', 'toLowerCase', 'toUpperCase', 'toString']);
const CALLERS = new Set(['Principal', 'Caller', 'Member', 'RequestContext', 'FastifyRequest']);
const EQUALITY = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file);
    else if (SOURCE.test(entry.name)) yield file;
  }
}

/** `x` of `(x ?? '')`, `x || ''`, `String(x)` and `x.trim()`: what is looked at in the end. */
function bare(node) {
  if (ts.isParenthesizedExpression(node) || ts.isBinaryExpression(node)) {
    return bare(node.expression ?? node.left);
  }
  if (!ts.isCallExpression(node)) return node;
  const { expression: called } = node;
  if (ts.isIdentifier(called) && called.text === 'String' && node.arguments[0] !== undefined) {
    return bare(node.arguments[0]);
  }
  return ts.isPropertyAccessExpression(called) && SAME.has(called.name.text)
    ? bare(called.expression)
    : node;
}

/** True for `x.message` and `message`; a search through titles looks for what somebody typed. */
function isProse(given) {
  const node = bare(given);
  if (ts.isPropertyAccessExpression(node)) return PROSE.has(node.name.text);
  return ts.isIdentifier(node) && (PROSE.has(node.text) || renamed.has(node.text));
}

/** The file's own names for sentences: `const said = error.message`, `{ detail: said }`. */
let renamed = new Set();

function renamedIn(source) {
  const names = new Set();
  const waiting = [source];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { name, propertyName, initializer } = node;
    const isText = ts.isVariableDeclaration(node) && initializer !== undefined;
    const isRenamed = ts.isBindingElement(node) && propertyName !== undefined;
    if (name !== undefined && ts.isIdentifier(name)) {
      if ((isText && isProse(initializer)) || (isRenamed && isProse(propertyName))) {
        names.add(name.text);
      }
    }
    ts.forEachChild(node, (child) => {
      waiting.push(child);
    });
  }
  return names;
}

/** A word of the program's own: a literal, a pattern, a constant, another sentence. */
function isOwnWord(node) {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return node.text !== '';
  if (ts.isRegularExpressionLiteral(node) || isProse(node)) return true;
  return ts.isIdentifier(node) && /^[A-Z][A-Z0-9_]+$/.test(node.text);
}

function looksIntoProse(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: object, name } = node.expression;
  const [first] = node.arguments;
  if (first === undefined) return false;
  if (LOOKS.has(name.text) && isProse(object) && isOwnWord(first)) return true;
  return (name.text === 'test' || name.text === 'exec') && isProse(first);
}

function choosesByProse(node) {
  return ts.isSwitchStatement(node) && isProse(node.expression) && !isReason(node.expression);
}

/** A `reason` that is compared is a code in the vocabulary of Electron and of the shell. */
function isReason(node) {
  const name = bare(node);
  return (ts.isPropertyAccessExpression(name) ? name.name : name).text === 'reason';
}

function comparesProse(node) {
  if (!ts.isBinaryExpression(node) || !EQUALITY.has(node.operatorToken.kind)) return false;
  const { left, right } = node;
  return isProse(left) && !isReason(left) && isOwnWord(right) && !isProse(right);
}

function isModuleLevel(node) {
  const statement = node.parent?.parent?.parent;
  return statement !== undefined && ts.isVariableStatement(statement)
    ? ts.isSourceFile(statement.parent)
    : false;
}

function hidesByCaller(node) {
  if (!ts.isNewExpression(node) || !isModuleLevel(node)) return false;
  const [key] = node.typeArguments ?? [];
  return key !== undefined && ts.isTypeReferenceNode(key) && CALLERS.has(key.typeName.getText());
}

const FAULTS = [
  [looksIntoProse, 'decided by the words of a sentence'],
  [comparesProse, 'decided by the words of a sentence'],
  [choosesByProse, 'decided by the words of a sentence'],
  [hidesByCaller, 'handed on beside the call, by who is asking'],
];

function* faultsOf(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  renamed = new Set();
  renamed = renamedIn(source);
  const waiting = [source];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const [applies, said] of FAULTS) {
      if (applies(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        yield `${path.relative(tree, file)}:${line + 1}: ${said}`;
      }
    }
    ts.forEachChild(node, (child) => {
      waiting.push(child);
    });
  }
}

const found = [];
const excused = new Set();
for (const room of ROOMS) {
  for (const file of sources(path.join(tree, room))) {
    const faults = [...faultsOf(file)];
    const name = path.relative(tree, file);
    if (!EXEMPT.has(name)) found.push(...faults);
    else if (faults.length > 0) excused.add(name);
  }
}
if (process.argv[2] === undefined) {
  for (const [name] of EXEMPT) if (!excused.has(name)) found.push(`${name}: needs no exemption`);
}
for (const line of found.toSorted()) process.stdout.write(`${line}\n`);
process.exit(found.length === 0 ? 0 : 1);
