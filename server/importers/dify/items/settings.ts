import type { JsonObject } from '../../../kernel/json.ts';
import type { Loss } from '../../graph-ir.ts';
import { carriedData, REDACTED } from '../../kept-data.ts';
import type { Protector } from '../../secrets.ts';
import { at, textOf, type Value, type ValueMap } from '../../value.ts';
import type { DifyDocument, DifyNode } from '../document.ts';

/** The credential type that a secret of the app's environment is bound under. */
const SECRET = 'difySecret';
/** Kinds of authorization of a request → the credential types that they are bound under. */
const AUTHORIZATIONS: ReadonlyMap<string, string> = new Map([
  ['basic', 'httpBasicAuth'],
  ['bearer', 'httpBearerAuth'],
  ['custom', 'httpHeaderAuth'],
]);

function isSecret(variable: ValueMap): boolean {
  return variable.get('value_type') === 'secret';
}

function namesVariable(value: Value, name: string): boolean {
  if (typeof value === 'string') return value.includes(`{{#env.${name}#}}`);
  if (Array.isArray(value)) {
    return (
      (value[0] === 'env' && value[1] === name) || value.some((one) => namesVariable(one, name))
    );
  }
  return value instanceof Map && [...value.values()].some((one) => namesVariable(one, name));
}

/** What authorizes the requests of a node, when the file does not say it by a variable. */
function authorization(node: DifyNode): JsonObject {
  const config = at(node.data, 'authorization', 'config');
  if (node.type !== 'http-request' || at(node.data, 'authorization', 'type') !== 'api-key')
    return {};
  const key = textOf(at(config, 'api_key')) ?? '';
  const type = AUTHORIZATIONS.get(textOf(at(config, 'type')) ?? 'basic');
  return key.includes('{{#') || type === undefined ? {} : { [type]: node.title };
}

/** The credentials that a step of the draft names: type → name. */
export function secretsOf(node: DifyNode, doc: DifyDocument): JsonObject {
  const names = doc.environment
    .filter(isSecret)
    .map((variable) => textOf(variable.get('name')) ?? '')
    .filter((name) => namesVariable(node.data, name));
  const secrets = names.map(
    (name, at) => [at === 0 ? SECRET : `${SECRET}${at + 1}`, name] as const,
  );
  return { ...authorization(node), ...Object.fromEntries(secrets) };
}

/** One gap for each credential that steps need. */
export function bindingLosses(doc: DifyDocument, runs: (node: DifyNode) => boolean): Loss[] {
  const seen = new Set<string>();
  return doc.nodes.filter(runs).flatMap((node) =>
    Object.entries(secretsOf(node, doc)).flatMap(([type, name]) => {
      const key = `${type} ${String(name)}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const detail = `"${node.title}" uses the credential "${String(name)}" (${type}); the draft names it and holds nothing of it.`;
      const todo = 'Bind it to a stored secret.';
      return [{ ref: node.ref, kind: 'carried_as', severity: 'manual' as const, detail, todo }];
    }),
  );
}

function variables(list: readonly ValueMap[], protector: Protector): JsonObject[] {
  return list.map((variable) => {
    const data = carriedData(variable, protector);
    const value = variable.get('value');
    const isHidden = isSecret(variable) && value !== undefined && value !== '';
    return isHidden ? { ...data, value: REDACTED } : data;
  });
}

/** What the draft says of the app as a whole. */
export function headOf(doc: DifyDocument, protector: Protector): JsonObject {
  const head: JsonObject = {
    source: 'dify',
    order: 'dify',
    name: protector.scrub(doc.name),
    mode: doc.mode,
  };
  const { conversation, environment } = doc;
  if (conversation.length > 0) {
    head['conversation_variables'] = variables(conversation, protector);
  }
  if (environment.length > 0) head['environment_variables'] = variables(environment, protector);
  return head;
}

/** Tells what of an app's variables is not as in the source. */
export function variableLosses(doc: DifyDocument): Loss[] {
  const [first] = doc.conversation;
  if (first === undefined) return [];
  const names = doc.conversation.map((one) => textOf(one.get('name')) ?? '?').join(', ');
  const ref = {
    source_id: 'conversation_variables',
    source_label: 'conversation variables',
    locator: '$.workflow.conversation_variables',
  };
  const detail = `The app keeps variables from turn to turn of a conversation (${names}); here each run begins with their first values.`;
  const todo = 'Give what was said before with the input of the run, if it matters.';
  return [{ ref, kind: 'carried_as', severity: 'manual', detail, todo }];
}

/** The ids of the steps that a container's rounds begin with. */
export function roundStarts(node: DifyNode, doc: DifyDocument): string[] {
  const inside = doc.nodes.filter((one) => !one.isNote && one.parent === node.id);
  const marked = inside.filter(({ type }) => type === 'iteration-start' || type === 'loop-start');
  if (marked.length > 0) return marked.map(({ id }) => id);
  const named = textOf(node.data.get('start_node_id'));
  if (inside.some(({ id }) => id === named)) return named === undefined ? [] : [named];
  const fed = new Set(listOfTargets(doc));
  return inside.filter(({ id }) => !fed.has(id)).map(({ id }) => id);
}

function listOfTargets(doc: DifyDocument): string[] {
  return doc.edges.flatMap(({ target }) => target ?? []);
}
