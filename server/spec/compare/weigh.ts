import { isJsonObject, type Json } from '../../kernel/json.ts';
import type { BlockName } from '../schema/field-help.ts';
import type { SpecChange } from './change.ts';

type Privilege = SpecChange['privilege'];
type Rule = (before: Json | undefined, after: Json | undefined) => Privilege;

function textsOf(value: Json | undefined): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.map(String) : []);
}

/** Members that came give more, members that went give less; both at once count as more. */
const grows: Rule = (before, after) => {
  const [old, now] = [textsOf(before), textsOf(after)];
  if ([...now].some((item) => !old.has(item))) return 'gained';
  return [...old].some((item) => !now.has(item)) ? 'lost' : null;
};

const shrinks: Rule = (before, after) => grows(after, before);

/** No list means everything. */
const narrows: Rule = (before, after) => {
  const [old, now] = [textsOf(before).size, textsOf(after).size];
  if (old > 0 && now === 0) return 'gained';
  return old === 0 && now > 0 ? 'lost' : grows(before, after);
};

/** True gives more than false, and nothing said is not restricted. */
const allows: Rule = (before, after) => {
  const [old, now] = [before !== false, after !== false];
  if (old === now) return null;
  return now ? 'gained' : 'lost';
};

/** A higher number gives more; none is no limit. */
const raises: Rule = (before, after) => {
  const [old, now] = [before, after].map((value) =>
    typeof value === 'number' && value > 0 ? value : Infinity,
  );
  if (old === now || old === undefined || now === undefined) return null;
  return now > old ? 'gained' : 'lost';
};

/** Other code, another address, another secret: what it may do cannot be told from the text. */
const trusts: Rule = (_before, after) =>
  after === undefined || after === null ? 'lost' : 'gained';

const watches: Rule = (before, after) => {
  const there = (value: Json | undefined) => value !== undefined && value !== null;
  if (there(before) === there(after)) return null;
  return there(before) ? 'gained' : 'lost';
};

const TOO_WEAK = ['warn', 'redact', 'revise', 'retry'];

/** Actions that let a run go on give more than those that stop it or ask. */
const softens: Rule = (before, after) => {
  const [old, now] = [before, after].map((value) => TOO_WEAK.includes(String(value)));
  if (old === now) return null;
  return now === true ? 'gained' : 'lost';
};

const goesOn: Rule = (before, after) => {
  if (after === 'continue') return 'gained';
  return before === 'continue' ? 'lost' : null;
};

/** Fields that give or take something, by block. */
const FIELDS: Readonly<Record<string, Rule>> = {
  'agent.skills': grows,
  'agent.tools': (before, after) => flip(watches(before, after)),
  'agent.guardrails': watches,
  'tool_selection.include': grows,
  'tool_selection.exclude': shrinks,
  'tool_selection.permissions': watches,
  'permissions.allow_network': allows,
  'permissions.allow_filesystem_read': allows,
  'permissions.allow_filesystem_write': allows,
  'permissions.allow_shell': allows,
  'permissions.allowed_domains': narrows,
  'permissions.denied_domains': shrinks,
  'model.provider': trusts,
  'model.token_budget': raises,
  'model.extra.base_url': trusts,
  'model.extra.api_key_ref': trusts,
  'strategy.max_iterations': raises,
  'graph.max_steps': raises,
  'guardrail.action': softens,
  'guardrail.ref': trusts,
  'guardrail_config.keywords': shrinks,
  'guardrail_config.patterns': shrinks,
  'human.on_timeout': goesOn,
  'human.default_option': trusts,
  'function.implementation': trusts,
  'tool.implementation': trusts,
  'tool.mcp': trusts,
  'tool.agent': trusts,
  'mcp_tool.server': trusts,
  'mcp_tool.name': trusts,
  'mcp_server.transport': trusts,
  'mcp_server.command': trusts,
  'mcp_server.args': trusts,
  'mcp_server.url': trusts,
  'mcp_server.sse_url': trusts,
  'mcp_server.message_url': trusts,
  'mcp_server.verify': (before, after) => flip(allows(before, after)),
  'mcp_server.ca_bundle': trusts,
  'skill.source': trusts,
};

/** Blocks whose holders may do more by having them. */
const GIVES: ReadonlySet<BlockName> = new Set(['tool', 'mcp_server', 'function', 'skill']);

/** Fields that no run reads: notes, drawings, what the language keeps for later. */
const UNREAD: ReadonlySet<string> = new Set([
  ...['root.version', 'root.policies', 'root.metadata'],
  ...['agent.history', 'agent.middleware', 'workflow.description', 'concurrent.max_iterations'],
  ...['sequential.description', 'graph.description', 'concurrent.description'],
  ...['handoff.description', 'group-chat.description', 'group-chat.max_iterations'],
  ...['strategy.stop_on_tool_error', 'strategy.parallel_tool_calls', 'guardrail.target'],
  ...['function.input_schema', 'function.output_schema', 'edge.label'],
]);

/** Notes that the program reads: imported workflows stand there (decision record 0024). */
const READ_NOTES = /^(?:metadata\.)?(?:flow|tools)(?:\.|$)/;

function flip(privilege: Privilege): Privilege {
  if (privilege === null) return null;
  return privilege === 'gained' ? 'lost' : 'gained';
}

/** What is weighed: a change without its verdict. */
export type Unweighed = Omit<SpecChange, 'privilege' | 'behaviour' | 'text'>;

function isPerson({ block, before, after }: Unweighed): boolean {
  const step = after ?? before ?? null;
  return block === 'step' && isJsonObject(step) && step['kind'] === 'human';
}

const DOMAINS = /^metadata\.flow\.(?:allowed|denied)_domains$/;

function ofField(field: string, { block, part, before, after }: Unweighed): Privilege {
  // A person who is switched off is asked no more.
  if (block === 'step' && field === 'enabled') {
    return part.startsWith('human') ? flip(allows(before, after)) : null;
  }
  if (block === 'step' && field.startsWith('credentials.')) return trusts(before, after);
  if (block === 'root') return DOMAINS.test(field) ? trusts(before, after) : null;
  return FIELDS[`${block}.${field}`]?.(before, after) ?? null;
}

function ofPart(came: boolean, change: Unweighed): Privilege {
  if (GIVES.has(change.block)) return came ? 'gained' : 'lost';
  const watches = change.block === 'guardrail' || isPerson(change);
  return watches ? (came ? 'lost' : 'gained') : null;
}

/** Whether a spec may do more after a change, or is watched less. */
export function privilegeOf(change: Unweighed): Privilege {
  if (change.field !== null) return ofField(change.field, change);
  const { change: kind } = change;
  return kind === 'added' || kind === 'removed' ? ofPart(kind === 'added', change) : null;
}

/** Whether a run can tell the difference. */
export function isBehaviour({ block, field, change }: Unweighed): boolean {
  if (change === 'renamed') return false;
  if (field === null) return true;
  if (block === 'root' && READ_NOTES.test(field)) return true;
  const [first = ''] = field.split('.');
  return !UNREAD.has(`${block}.${field}`) && !UNREAD.has(`${block}.${first}`);
}
