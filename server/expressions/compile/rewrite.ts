import {
  CHANGING_MEMBERS,
  EMPTY_NAMES,
  MISSING_NAMES,
  OPEN_NAMES,
  REFUSED_MEMBERS,
} from './names.ts';
import {
  type AnyNode,
  allNodes,
  child,
  children,
  childrenOf,
  isNode,
  memberName,
} from './syntax.ts';

/** An expression is refused before anything of it is evaluated, in the words of the source. */
export class RefusedExpression extends Error {
  override readonly name = 'RefusedExpression';
}

/** Names that the interpreter's scope and the types of the source have. */
export interface KnownNames {
  readonly scope: ReadonlySet<string>;
  readonly extensions: ReadonlySet<string>;
}

const FUNCTIONS = new Set(['FunctionExpression', 'FunctionDeclaration', 'ArrowFunctionExpression']);
/** Deeper texts than an author writes would use up the stack here or in the interpreter. */
const DEEPEST = 500;

function declaredIn(pattern: unknown, names: Set<string>): void {
  if (!isNode(pattern)) return;
  for (const node of allNodes(pattern))
    if (node.type === 'Identifier') names.add(String(node['name']));
}

/** The patterns by which a node gives names. */
function patternsOf(node: AnyNode): unknown[] {
  if (FUNCTIONS.has(node.type)) return [node['id'], ...children(node, 'params')];
  if (node.type === 'CatchClause') return [node['param']];
  return /^(?:Class|VariableDeclarator)/.test(node.type) ? [node['id']] : [];
}

function declaredNames(root: AnyNode): Set<string> {
  const names = new Set<string>();
  for (const node of allNodes(root))
    for (const pattern of patternsOf(node)) declaredIn(pattern, names);
  return names;
}

function refuse(node: AnyNode): void {
  if (node.type === 'ImportExpression') throw new RefusedExpression('Imports are not supported');
  const name = memberName(node);
  if (name === 'constructor')
    throw new RefusedExpression('Expression contains invalid constructor function call');
  if (name !== undefined && REFUSED_MEMBERS.has(name))
    throw new RefusedExpression(`Cannot access "${name}" due to security concerns`);
}

/** True when evaluating may change what the expression reads. */
function changes(node: AnyNode): boolean {
  switch (node.type) {
    case 'AssignmentExpression':
      return child(node, 'left').type !== 'Identifier';
    case 'UpdateExpression':
      return child(node, 'argument').type !== 'Identifier';
    case 'UnaryExpression':
      return node['operator'] === 'delete';
    case 'CallExpression': {
      const callee = child(node, 'callee');
      if (callee.type !== 'MemberExpression') return false;
      const name = memberName(callee);
      return name === undefined || CHANGING_MEMBERS.has(name);
    }
    default:
      return false;
  }
}

function canMakeFunctions(node: AnyNode): boolean {
  return (
    FUNCTIONS.has(node.type) ||
    node.type === 'ClassExpression' ||
    (node.type === 'Identifier' && node['name'] === 'Symbol')
  );
}

class Rewriter {
  readonly #code: string;
  readonly #known: KnownNames;
  readonly #declared: ReadonlySet<string>;
  #functions = 0;
  #depth = 0;
  #links = 0;

  constructor(code: string, known: KnownNames, declared: ReadonlySet<string>) {
    this.#code = code;
    this.#known = known;
    this.#declared = declared;
  }

  text(node: AnyNode): string {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new RefusedExpression('invalid syntax');
    try {
      return this.#textOf(node);
    } finally {
      this.#depth -= 1;
    }
  }

  #textOf(node: AnyNode): string {
    switch (node.type) {
      case 'Identifier':
        return this.#name(String(node['name']));
      case 'ThisExpression':
        return this.#functions > 0 ? 'this' : '$s.$this';
      case 'MemberExpression':
        return node['computed'] === true ? this.#parts(node) : this.#parts(node, 'property');
      case 'Property':
        return this.#property(node);
      case 'MethodDefinition':
      case 'PropertyDefinition':
        return node['computed'] === true ? this.#parts(node) : this.#parts(node, 'key');
      case 'LabeledStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        return this.#parts(node, 'label');
      case 'MetaProperty':
        return this.#slice(node);
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return this.#ofFunction(node);
      case 'CallExpression':
        return this.#call(node);
      case 'ChainExpression':
        return this.#chain(child(node, 'expression'));
      default:
        return this.#parts(node);
    }
  }

  #slice(node: AnyNode): string {
    return this.#code.slice(node.start, node.end);
  }

  /** The text of a node with that of the nodes inside rewritten; `kept` names one that is not. */
  #parts(node: AnyNode, kept?: string): string {
    const left = kept === undefined ? undefined : node[kept];
    let text = '';
    let at = node.start;
    for (const part of childrenOf(node)) {
      if (part === left) continue;
      text += this.#code.slice(at, part.start) + this.text(part);
      at = part.end;
    }
    return text + this.#code.slice(at, node.end);
  }

  #name(name: string): string {
    if (this.#declared.has(name)) return name;
    if (name.startsWith('$') || this.#known.scope.has(name)) return `$s.${name}`;
    if (OPEN_NAMES.has(name) || MISSING_NAMES.has(name)) return name;
    return EMPTY_NAMES.has(name) ? '$h.nothing' : `$h.unknown.${name}`;
  }

  #property(node: AnyNode): string {
    if (node['computed'] === true) return this.#parts(node);
    if (node['shorthand'] !== true) return this.#parts(node, 'key');
    const value = child(node, 'value');
    if (value.type !== 'Identifier') return this.#slice(node);
    const name = String(value['name']);
    return this.#declared.has(name) ? name : `${name}: ${this.#name(name)}`;
  }

  #ofFunction(node: AnyNode): string {
    this.#functions += 1;
    try {
      return this.#parts(node);
    } finally {
      this.#functions -= 1;
    }
  }

  #extension(callee: AnyNode): string | undefined {
    if (callee.type !== 'MemberExpression' || callee['computed'] === true) return undefined;
    const name = memberName(callee);
    if (name === undefined || !this.#known.extensions.has(name)) return undefined;
    return child(callee, 'object').type === 'Super' ? undefined : name;
  }

  #given(call: AnyNode): string {
    return children(call, 'arguments')
      .map((word) => `, ${this.text(word)}`)
      .join('');
  }

  #call(node: AnyNode): string {
    const callee = child(node, 'callee');
    const name = this.#extension(callee);
    if (name === undefined) return this.#parts(node);
    return `$h.extend((${this.text(child(callee, 'object'))}), '${name}'${this.#given(node)})`;
  }

  /** A chain with `?.`: written link by link when the source adds one of its methods. */
  #chain(last: AnyNode): string {
    const links: AnyNode[] = [];
    let root = last;
    while (root.type === 'MemberExpression' || root.type === 'CallExpression') {
      links.unshift(root);
      root = child(root, root.type === 'CallExpression' ? 'callee' : 'object');
    }
    const isPlain = !links.some(
      (link) => link.type === 'CallExpression' && this.#extension(child(link, 'callee')),
    );
    return isPlain ? this.text(last) : this.#linked(links, 0, `(${this.text(root)})`);
  }

  #linked(links: readonly AnyNode[], at: number, value: string): string {
    const link = links[at];
    if (link === undefined) return value;
    if (link.type === 'CallExpression') {
      const mark = link['optional'] === true ? '?.' : '';
      return this.#linked(links, at + 1, `${value}${mark}(${this.#given(link).slice(2)})`);
    }
    if (link['optional'] === true) {
      const name = `$v${this.#links}`;
      this.#links += 1;
      const rest = this.#linked([{ ...link, optional: false }, ...links.slice(at + 1)], 0, name);
      return `((${name}) => ${name} == null ? undefined : ${rest})(${value})`;
    }
    const next = links[at + 1];
    const extension = next?.type === 'CallExpression' ? this.#extension(link) : undefined;
    if (next !== undefined && extension !== undefined) {
      const helper = next['optional'] === true ? 'extendIfThere' : 'extend';
      const call = `$h.${helper}(${value}, '${extension}'${this.#given(next)})`;
      return this.#linked(links, at + 2, call);
    }
    const property = child(link, 'property');
    const step =
      link['computed'] === true ? `[${this.text(property)}]` : `.${this.#slice(property)}`;
    return this.#linked(links, at + 1, value + step);
  }
}

export interface Rewritten {
  readonly code: string;
  readonly mutates: boolean;
  readonly isSuspect: boolean;
}

/**
 * The code of an expression for the interpreter: names become those of the scope, methods that the
 * source adds become calls of its functions.
 * @throws RefusedExpression
 */
export function rewrite(code: string, root: AnyNode, known: KnownNames): Rewritten {
  let mutates = false;
  let isSuspect = false;
  for (const node of allNodes(root)) {
    refuse(node);
    mutates ||= changes(node);
    isSuspect ||= canMakeFunctions(node);
  }
  const rewriter = new Rewriter(code, known, declaredNames(root));
  return { code: rewriter.text(root), mutates, isSuspect };
}
