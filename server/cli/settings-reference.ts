import type { Setting } from '../contract/settings.ts';
import { CONNECTION_VARIABLES, DASHBOARD_VARIABLES } from '../dashboard/variables.ts';
import { HOST_VARIABLES } from '../host/variables.ts';
import { TELEMETRY_VARIABLES } from '../platform/telemetry-variables.ts';
import { CLIENT_VARIABLES, PLATFORM_VARIABLES, PROJECT_VARIABLES } from '../platform/variables.ts';
import { STUDIO_VARIABLES } from '../studio/variables.ts';

const GROUPS = [
  HOST_VARIABLES,
  PLATFORM_VARIABLES,
  TELEMETRY_VARIABLES,
  DASHBOARD_VARIABLES,
  CONNECTION_VARIABLES,
  STUDIO_VARIABLES,
  CLIENT_VARIABLES,
  PROJECT_VARIABLES,
];

const HEAD = `# Settings

Each variable of the environment is read once, when the program starts. A blank one counts as unset.
A value that is not of the form of its row stops the start with one line that names the variable,
unless the row says that it is ignored. Where there is a second prefix, it is the reference's and is
read where ours is not set.

This page is written from the declarations by \`node scripts/settings-reference.mjs\`.
`;

function standardOf({ standard, shown }: Setting<unknown>): string {
  if (shown !== undefined) return shown;
  if (Array.isArray(standard)) return standard.length === 0 ? 'none' : standard.join(', ');
  return standard === undefined ? '–' : `\`${String(standard)}\``;
}

function rowOf(name: string, setting: Setting<unknown>): string {
  const ignored = setting.malformed === 'ignored' ? '; else ignored' : '';
  return `| ${name} | ${setting.form}${ignored} | ${standardOf(setting)} | ${setting.about} |`;
}

/** The text of docs/settings.md. */
export function settingsReference(): string {
  const parts = GROUPS.map(({ title, prefix, alias, settings }) => {
    const also = alias === undefined ? '' : `, or \`${alias}…\``;
    const rows = Object.entries<Setting<unknown>>(settings).map(([name, one]) =>
      rowOf(prefix + name, one),
    );
    const table = ['| Variable | Value | Standard | Meaning |', '|---|---|---|---|', ...rows];
    return `\n## ${title}: \`${prefix}…\`${also}\n\n${table.join('\n')}\n`;
  });
  return HEAD + parts.join('');
}
