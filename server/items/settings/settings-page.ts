import type { StepSetting } from './setting.ts';
import { LISTED_TYPES, settingsOf } from './step-settings.ts';

const HEAD = `# Settings of built-in steps

What stands under \`metadata.flow.steps.<step>.parameters\`, by the type of the step; a setting whose text begins with \`=\` is computed for each item. The editor shows the same on completion and hover. Written by \`node scripts/handler-settings.mjs\` from \`server/items/settings\`; triggers hand on the run's input, whatever they say, and are not listed.
`;

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function holds({ kind, values }: StepSetting): string {
  return values === undefined ? kind : values.map((value) => `\`${value}\``).join(', ');
}

function row(name: string, setting: StepSetting): string {
  const { standard, when, help } = setting;
  const fallback = standard === undefined ? '' : `\`${standard}\``;
  const read = when === undefined ? '' : `\`${when}\``;
  return `| \`${name}\` | ${holds(setting)} | ${fallback} | ${read} | ${cell(help)} |`;
}

function section(type: string): string {
  const rows = Object.entries(settingsOf(type) ?? {}).map(([name, one]) => row(name, one));
  const table =
    rows.length === 0
      ? ['It has none.']
      : [
          '| setting | holds | default | read where | what it does |',
          '| --- | --- | --- | --- | --- |',
          ...rows,
        ];
  return [`## \`n8n.${type}\``, '', ...table, ''].join('\n');
}

/** The page of all settings, `docs/handlers-settings.md`. */
export function settingsPage(): string {
  return [HEAD, ...LISTED_TYPES.map(section)].join('\n');
}
