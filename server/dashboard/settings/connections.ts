import {
  CONNECTION_COLORS,
  type Connection,
  type ConnectionColor,
} from '../../contract/dashboard/settings.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { objectOf, text, textOrNull } from '../read.ts';
import { deleteSetting, putSetting } from './put-setting.ts';
import { findSetting, listSettings, type Setting } from './settings-repository.ts';

const MAX_CONNECTIONS = 500;

function colorOf(stored: unknown): ConnectionColor | null {
  return CONNECTION_COLORS.find((color) => color === stored) ?? null;
}

function toView(row: Setting): Connection {
  const value = objectOf(row.value);
  return {
    env: row.key,
    profile: textOrNull(value['profile']),
    label: text(value['label']),
    production: value['production'] === true,
    color: colorOf(value['color']),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The connections that the operator's role may use, by environment. */
export async function listConnections(
  deps: DashboardDeps,
  operator: Operator,
): Promise<Connection[]> {
  const rows = await listSettings(deps.db, 'connections', MAX_CONNECTIONS);
  const { environments } = operator;
  const visible = rows.filter((row) => environments === null || environments.includes(row.key));
  return visible.map(toView);
}

/** Creates or changes a connection; an empty profile means the default one. */
export async function putConnection(
  deps: DashboardDeps,
  operator: Operator,
  environment: string,
  input: {
    readonly profile?: string | null | undefined;
    readonly label: string;
    readonly production?: boolean | undefined;
    readonly color?: ConnectionColor | null | undefined;
    readonly version: number;
  },
): Promise<Connection> {
  const profile = input.profile === undefined || input.profile === '' ? null : input.profile;
  const before = await findSetting(deps.db, 'connections', environment);
  const was = objectOf(before?.value);
  const production = input.production ?? was['production'] === true;
  const color = input.color === undefined ? colorOf(was['color']) : input.color;
  const marks = { ...(production ? { production } : {}), ...(color === null ? {} : { color }) };
  const row = await putSetting(deps, operator, {
    namespace: 'connections',
    key: environment,
    value: { profile, label: input.label, ...marks },
    version: input.version,
  });
  return toView(row);
}

/** Removes a connection of exactly this version. @throws Refusal as deleteSetting. */
export async function deleteConnection(
  deps: DashboardDeps,
  environment: string,
  version: number,
): Promise<void> {
  await deleteSetting(deps.db, 'connections', environment, version);
}
