// Finds the texts of a source file: messages that go through the catalogue, and texts that do not.
import ts from 'typescript';

const LETTER = /\p{L}/u;
/** Functions whose first argument is a message of the catalogue. */
export const SAYS = new Set(['t', 'rich']);
/** The same; the message is the second argument. */
const SAYS_AS = 'tAs';

/** Attributes and properties that people read or hear. */
const SHOWN =
  /^(?:title|label|placeholder|description|hint|help|text|words|message|heading|summary|caption|header|alt|aria-label|aria-description|aria-roledescription|aria-valuetext|nothingFound\w*|emptyText|confirm|cancel|question|explanation|reason|detail|details|tooltip|unit|noun|verb|lead|note|error|said|done|doing|failed|children|\w+(?:Label|Title|Text|Words|Hint|Message|Placeholder|Description))$/;
/** Functions whose strings people read. */
const SPEAKS =
  /(?:Text|Words|Label|Title|Sentence|Message|Heading|Summary|Hint|Reason|Line|Said|Phrase)$|^(?:say|word|phrase|describe|explain|tell|notify)/;
/** Attributes and properties that only programs read. */
const HIDDEN =
  /^(?:className|class|classNames|key|id|testId|data-.*|type|role|color|variant|size|to|href|rel|target|style|styles|accept|inputMode|autoComplete|position|shortcut|also|when|value|path|kind|code|method|accept|font\w*|d|viewBox|transform|fill|stroke|display|gridTemplate\w*|padding|margin|border|background|width|height|flex|grid|transition|animation|overflow|cursor|language|theme|mime|anchor|selector|command|source|token|fragment|rule|keys)$/;
/** Functions that take words for programs. */
const PROGRAMS =
  /(?:^|\.)(?:querySelector|querySelectorAll|closest|matches|getElementById|addEventListener|removeEventListener|setAttribute|getAttribute|startsWith|endsWith|includes|split|join|indexOf|replace|replaceAll|test|has|get|set|delete|add|getPropertyValue|setProperty|dispatchEvent|createElement|createElementNS|fetch|enum|literal|discriminatedUnion|useCommand|runCommand|matchMedia|encode|getContext|toBlob|URL|RegExp|Worker|BroadcastChannel|CustomEvent|Event|KeyboardEvent|trigger|send|on|off|once|emit|invoke|readJson|writeJson|readSafe|writeSafe)$/;
/** What looks like words for people: several words, or one that begins like a sentence. */
const PROSE =
  /^[^\p{L}]*\p{Lu}\p{Ll}+[^\p{L}\d_$.#/-]*$|\p{L}[\p{L}\d'’,.:;)”"-]*\s+[“"(‘'{]*\p{L}/u;
/** Names of keys and of the web platform, values of styles, selectors, addresses, paths of drawings. */
const TECHNICAL = [
  /^(?:Enter|Escape|Tab|Home|End|Insert|Delete|Backspace|Space|Page(?:Up|Down)|Arrow\w+)$/,
  /^(?:Control|Ctrl|Meta|Shift|Alt|ContextMenu|Dead|Digit\d|Key[A-Z]|Numpad\w+)$/,
  /^(?:Authorization|Bearer|Content-Type|GET|POST|PUT|DELETE|PATCH|UTC)$|^[a-z]+\/[a-z-]+$/,
  /^(?:\d*\.?\d+(?:px|rem|em|%|fr|s|ms|vh|vw)|0|auto|minmax\(|calc\()(?:\s|$)|\bpx\b|var\(--|^--/,
  /^(?:sw|mantine|react-flow|monaco)-|^[a-z]+(?:-[a-z]+)*(?: (?:sw|codicon|react-flow)-[\w-]+)+$/,
  /^#?\w+ > |^<\/?\w|\[[a-z-]+[=\]]|\[data-|:not\(/,
  /^[\w-]+:\{\}$|^\{\}\.\w+$/,
  /^https?:|^openid |^L \{\} \{\} /,
];

/** The text of a name; empty where it is computed. */
export function nameOf(node) {
  if (node === undefined) return '';
  if (ts.isIdentifier(node) || ts.isStringLiteral(node) || ts.isPrivateIdentifier(node))
    return node.text;
  return '';
}

/** The name of what is called: `notify`, `a.includes`, `URL`. */
export function calleeOf(node) {
  const { expression } = node;
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? `.${expression.name.text}` : '';
}

/** The text of a literal; null for what is none. Holes of a template are `{}`. */
export function literalText(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

function isSaid(node) {
  const { parent } = node;
  if (!ts.isCallExpression(parent)) return false;
  const callee = calleeOf(parent);
  return (
    (SAYS.has(callee) && parent.arguments[0] === node) ||
    (callee === SAYS_AS && parent.arguments.indexOf(node) < 2)
  );
}

const COMPARES = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.InKeyword,
]);

/** Where a literal stands decides before its look: `shown`, `hidden`, or nothing said. */
function standing(node) {
  let child = node;
  for (let parent = node.parent; parent !== undefined; child = parent, parent = parent.parent) {
    const said = standingIn(parent, child);
    if (said !== undefined) return said;
  }
  return 'open';
}

/** What only programs read, wherever it stands in it. */
const HIDES = [
  (parent) => ts.isTypeNode(parent) || ts.isLiteralTypeNode(parent),
  (parent) => ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent),
  (parent) => ts.isImportAttribute(parent) || ts.isComputedPropertyName(parent),
  (parent) => ts.isTaggedTemplateExpression(parent),
  (parent, child) => ts.isCaseClause(parent) && parent.expression === child,
  (parent, child) => ts.isElementAccessExpression(parent) && parent.argumentExpression === child,
  (parent) => ts.isBinaryExpression(parent) && COMPARES.has(parent.operatorToken.kind),
  (parent, child) => ts.isConditionalExpression(parent) && parent.condition === child,
  (parent, child) => ts.isPropertyAssignment(parent) && parent.name === child,
];

function isNamed(parent) {
  return ts.isFunctionDeclaration(parent) || ts.isVariableDeclaration(parent);
}

/** A statement that holds no other says nothing of its texts. */
function isLeaf(parent) {
  const holds = ts.isBlock(parent) || ts.isIfStatement(parent) || ts.isVariableStatement(parent);
  return ts.isStatement(parent) && !holds;
}

function standingIn(parent, child) {
  if (HIDES.some((hides) => hides(parent, child))) return 'hidden';
  if (ts.isJsxAttribute(parent)) return nameStanding(attributeName(parent));
  if (ts.isJsxExpression(parent)) return ts.isJsxAttribute(parent.parent) ? undefined : 'shown';
  if (ts.isPropertyAssignment(parent)) return nameStanding(nameOf(parent.name));
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return callStanding(parent, child);
  if (ts.isAsExpression(parent) && ts.isArrayLiteralExpression(parent.expression)) return 'open';
  if (isNamed(parent)) return speaksStanding(nameOf(parent.name));
  if (ts.isFunctionLike(parent))
    return ts.isVariableDeclaration(parent.parent) ? undefined : 'open';
  return isLeaf(parent) ? 'open' : undefined;
}

function attributeName(attribute) {
  const { name } = attribute;
  return ts.isJsxNamespacedName(name) ? name.name.text : name.text;
}

function nameStanding(name) {
  if (SHOWN.test(name)) return 'shown';
  return HIDDEN.test(name) ? 'hidden' : 'open';
}

function speaksStanding(name) {
  return SPEAKS.test(name) ? 'shown' : 'open';
}

function callStanding(call, child) {
  if (!(call.arguments ?? []).includes(child)) return undefined;
  const callee = calleeOf(call);
  if (callee === 'TypeError' || callee === 'RangeError') return 'hidden';
  return PROGRAMS.test(callee) ? 'hidden' : 'open';
}

/** True for a literal that a person reads and that no catalogue knows. */
export function isHardText(node) {
  const text = literalText(node);
  if (text === null || !LETTER.test(text.replaceAll('{}', '')) || isSaid(node)) return false;
  if (ts.isStringLiteral(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node)
    return false;
  const where = standing(node);
  if (where === 'hidden') return false;
  const words = text.replaceAll('{}', '');
  if (TECHNICAL.some((one) => one.test(text))) return false;
  if (where === 'shown')
    return /\p{L}{2}/u.test(words) && !/^[a-z]+(?:[-_.][a-z]+)+$|^[a-z]+[A-Z]\w*$/.test(text);
  return PROSE.test(words);
}

/** Elements that hold code, keys and names of files. */
const CODE = /^(?:code|kbd|pre)$/;

/** Every message and every hard text of a file: `{ kind, node, text }`, in the order of the file. */
export function findTexts(source) {
  const found = [];
  const visit = (node, inCode) => {
    const isCode =
      inCode || (ts.isJsxElement(node) && CODE.test(node.openingElement.tagName.getText(source)));
    if (ts.isCallExpression(node) && isCallOfTexts(node)) found.push({ kind: 'said', node });
    else if (!isCode && isHard(node)) found.push({ kind: 'hard', node, text: textOf(node) });
    ts.forEachChild(node, (child) => visit(child, isCode));
  };
  visit(source, false);
  return found;
}

function textOf(node) {
  return ts.isJsxText(node) ? node.text.trim() : literalText(node);
}

function isHard(node) {
  if (!ts.isJsxText(node)) return isHardText(node);
  return /\p{L}{2}/u.test(node.text) && !/^\.\w+$/.test(node.text.trim());
}

function isCallOfTexts(node) {
  const callee = calleeOf(node);
  return SAYS.has(callee) || callee === SAYS_AS;
}
