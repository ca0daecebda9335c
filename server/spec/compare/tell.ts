import { isJsonObject, type Json } from '../../kernel/json.ts';
import type { Unweighed } from './weigh.ts';

const LONGEST = 60;

function lines(text: string): string {
  const count = text.split('\n').length;
  return count === 1 ? '1 line' : `${count} lines`;
}

/** A value in a sentence: short as it is, long as what it is. */
export function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string' && (value.includes('\n') || value.length > LONGEST)) {
    return `a text of ${lines(value)}`;
  }
  const text = JSON.stringify(value);
  if (text.length <= LONGEST) return text;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isJsonObject(value) ? `${Object.keys(value).length} settings` : text;
}

function members(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** What joined and what left a list of names. */
function listed({ before, after }: Unweighed): { joined: string[]; left: string[] } {
  const [old, now] = [members(before), members(after)];
  return {
    joined: now.filter((name) => !old.includes(name)),
    left: old.filter((name) => !now.includes(name)),
  };
}

const GRANTS: Readonly<Record<string, readonly [joined: string, left: string]>> = {
  'tool_selection.include': ['may call', 'may no longer call'],
  'tool_selection.exclude': ['must not call', 'is no longer kept from'],
  'agent.skills': ['has the skill', 'no longer has the skill'],
  'permissions.allowed_domains': ['may reach', 'may no longer reach'],
  'permissions.denied_domains': ['is kept from', 'is no longer kept from'],
};

function granted(change: Unweighed): string | null {
  const words = GRANTS[`${change.block}.${change.field ?? ''}`];
  if (words === undefined) return null;
  const { joined, left } = listed(change);
  const said = [
    ...(joined.length > 0 ? [`${words[0]} ${quoted(joined)}`] : []),
    ...(left.length > 0 ? [`${words[1]} ${quoted(left)}`] : []),
  ];
  return said.length > 0 ? said.join(', ') : null;
}

const INNER: ReadonlySet<string> = new Set(['model', 'strategy']);

/** One sentence for a change, without its full stop. */
export function tell(change: Unweighed): string {
  const { part, field, before, after } = change;
  switch (change.change) {
    case 'added':
      return `${part} was added`;
    case 'removed':
      return `${part} was removed`;
    case 'renamed':
      return `${part} was called ${shown(before)}`;
    case 'moved':
      return `${part} was moved`;
    case 'changed': {
      const grant = granted(change);
      if (grant !== null) return `${part} ${grant}`;
      const [old, now] = [shown(before), shown(after)];
      // Fields of these are no fields of their part: an agent has a name, and so has its model.
      const what = INNER.has(change.block) ? `${change.block}.${field}` : field;
      if (old === now) return `${part}: ${what} was changed`;
      return `${part}: ${what} is ${now}, was ${old}`;
    }
  }
}
