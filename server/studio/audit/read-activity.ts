import { z } from 'zod';
import type { ActivityChoices, ActivityEntry } from '../../contract/studio/activity.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { AuditRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';
import {
  type AuditFilter,
  listActs,
  listAuditRows,
  listDetails,
  listNames,
} from './audit-repository.ts';

const Detail = z.record(z.string(), z.unknown());
/** Acts upon a person, and what their rows call that person. */
const ON_PEOPLE = ['put_member', 'delete_member', 'propose_quota_transfer'];
const PERSON_FIELDS = ['member', 'to', 'from', 'owner'];

/** What a row says beside who and when. */
export function detailOf(row: Pick<AuditRow, 'detail'>): Readonly<Record<string, unknown>> {
  return Detail.parse(JSON.parse(row.detail));
}

function toEntry(row: AuditRow): ActivityEntry {
  const { id, at, action, principal_id, outcome, run_id } = row;
  return { id, at, action, principal_id, outcome, run_id, detail: detailOf(row) };
}

/** One page of the audit log, newest first, and the name of the next. */
export async function readActivity(
  handle: Handle,
  filter: AuditFilter,
): Promise<{ entries: ActivityEntry[]; next_cursor: string | null }> {
  const rows = await listAuditRows(handle, { ...filter, limit: filter.limit + 1 });
  const shown = rows.slice(0, filter.limit);
  const last = shown.at(-1);
  const more = rows.length > shown.length && last !== undefined;
  return { entries: shown.map(toEntry), next_cursor: more ? String(last.id) : null };
}

function namedIn(text: string): string[] {
  const detail = detailOf({ detail: text });
  return PERSON_FIELDS.flatMap((field) => {
    const value = detail[field];
    return typeof value === 'string' ? [value] : [];
  });
}

/** What the audit log of a project can be asked for: its people, by name, and its actions. */
export async function readChoices(handle: Handle, projectId: string): Promise<ActivityChoices> {
  const acts = await listActs(handle, projectId);
  const actions = [...new Set(acts.map(({ action }) => action))].sort(compareCodePoints);
  const upon = actions.filter((action) => ON_PEOPLE.includes(action) || action.startsWith('host.'));
  const details = upon.length === 0 ? [] : await listDetails(handle, projectId, upon);
  const ids = new Set([...acts.map((act) => act.principal_id), ...details.flatMap(namedIn)]);
  const people = (await listNames(handle, [...ids])).map(({ id, display_name }) => ({
    principal_id: id,
    display_name,
  }));
  people.sort((a, b) => compareCodePoints(a.display_name, b.display_name));
  return { people, actions };
}
