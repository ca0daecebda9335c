import type { SourceCall, SourceCredential, SourceFacts } from '../../contract/studio/estate.ts';
import { isObject } from '../../kernel/json.ts';
import { secretsInText } from '../../kernel/secrets-in-text.ts';
import { parseSpecText } from '../../spec/yaml/parse-yaml.ts';

export const NO_FACTS: SourceFacts = { id: null, name: null, calls: [], credentials: [] };

/** One file shows no more than this of each; real ones have a few. */
const MOST_CALLS = 200;
const MOST_CREDENTIALS = 100;
const LONGEST = 200;

function word(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '') return null;
  const short = text.trim().slice(0, LONGEST);
  return secretsInText(short).length === 0 ? short : null;
}

/** A member of a mapping, as a parser of JSON gives it or as an importer reads it. */
function field(value: unknown, name: string): unknown {
  if (value instanceof Map) return value.get(name);
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (value instanceof Map) return [...value];
  return isObject(value) ? Object.entries(value) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The words of a reference to a workflow: an id, a name, or a chosen entry of a list with both. */
function wantedOf(reference: unknown): string[] {
  const given = [field(reference, 'value'), field(reference, 'cachedResultName'), reference];
  const words = given.flatMap((value) => word(value) ?? []);
  return [...new Set(words.filter((text) => !text.startsWith('=')))];
}

const STEP_CALL = /(?:^|\.)executeWorkflow$/;
const TOOL_CALL = /(?:^|\.)toolWorkflow$/;

function callOfNode(node: unknown): SourceCall[] {
  const type = String(field(node, 'type') ?? '');
  const kind = STEP_CALL.test(type) ? 'step' : TOOL_CALL.test(type) ? 'tool' : undefined;
  if (kind === undefined || field(node, 'disabled') === true) return [];
  const parameters = field(node, 'parameters');
  // A workflow that is written out inside of the node calls no other file.
  if (field(parameters, 'workflowJson') !== undefined) return [];
  const wanted = wantedOf(field(parameters, 'workflowId'));
  return [{ kind, label: word(field(node, 'name')) ?? '', wanted }];
}

function credentialsOfNode(node: unknown): SourceCredential[] {
  return entriesOf(field(node, 'credentials')).flatMap(([type, reference]) => {
    const name = word(field(reference, 'name'));
    return name === null ? [] : [{ type, id: word(field(reference, 'id')), name }];
  });
}

function n8nFacts(document: unknown): SourceFacts {
  const nodes = listOf(field(document, 'nodes'));
  const onError = wantedOf(field(field(document, 'settings'), 'errorWorkflow'));
  return {
    id: word(field(document, 'id')),
    name: word(field(document, 'name')),
    calls: [
      ...nodes.flatMap(callOfNode),
      ...(onError.length === 0 ? [] : [{ kind: 'error' as const, label: '', wanted: onError }]),
    ].slice(0, MOST_CALLS),
    credentials: distinct(nodes.flatMap(credentialsOfNode)),
  };
}

/** A tool of Dify that is another app published as one. */
function difyCall(tool: unknown): SourceCall[] {
  if (field(tool, 'provider_type') !== 'workflow') return [];
  const names = ['tool_name', 'provider_name', 'tool_label'].flatMap(
    (name) => word(field(tool, name)) ?? [],
  );
  const label = word(field(tool, 'title')) ?? word(field(tool, 'tool_label')) ?? '';
  return [{ kind: 'tool', label, wanted: [...new Set(names)] }];
}

function difyCredential(type: string, name: unknown): SourceCredential[] {
  const provider = word(name);
  return provider === null ? [] : [{ type, id: null, name: provider }];
}

function difyTool(tool: unknown): SourceCredential[] {
  const outside = ['builtin', 'api', 'mcp'].includes(String(field(tool, 'provider_type')));
  return outside
    ? difyCredential('tool provider', field(tool, 'provider_name') ?? field(tool, 'provider_id'))
    : [];
}

function difyFacts(document: unknown): SourceFacts {
  const graph = field(field(document, 'workflow'), 'graph');
  const config = field(document, 'model_config');
  const nodes = listOf(field(graph, 'nodes')).map((node) => field(node, 'data'));
  const tools = [
    ...nodes.filter((data) => field(data, 'type') === 'tool'),
    ...listOf(field(field(config, 'agent_mode'), 'tools')),
  ];
  const models = [config, ...nodes].map((data) => field(field(data, 'model'), 'provider'));
  return {
    id: null,
    name: word(field(field(document, 'app'), 'name')),
    calls: tools.flatMap(difyCall).slice(0, MOST_CALLS),
    credentials: distinct([
      ...models.flatMap((provider) => difyCredential('model provider', provider)),
      ...tools.flatMap(difyTool),
    ]),
  };
}

/** Equal for what is one credential: its id where the source has one, else its name. */
export function credentialKey({ type, id, name }: SourceCredential): string {
  return `${type}\n${id ?? name}`;
}

function distinct(credentials: readonly SourceCredential[]): SourceCredential[] {
  const byKey = new Map(credentials.map((one) => [credentialKey(one), one]));
  return [...byKey.values()].slice(0, MOST_CREDENTIALS);
}

/** What a source that was read says of the workflows around it: whom it calls and what it signs in with. */
export function documentFacts(source: string, document: unknown): SourceFacts {
  if (source === 'dify') return difyFacts(document);
  return source === 'n8n' ? n8nFacts(document) : NO_FACTS;
}

function parsed(source: string, text: string): unknown {
  if (source === 'dify') return parseSpecText(text, 'yaml').value;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * {@link documentFacts} of a text. Nothing when it cannot be read: the importer says what is wrong
 * with it.
 */
export function sourceFacts(source: string, text: string): SourceFacts {
  const isRead = source === 'dify' || source === 'n8n';
  return isRead ? documentFacts(source, parsed(source, text)) : NO_FACTS;
}
