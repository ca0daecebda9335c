import type { Argument, Command, Option } from 'commander';

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function argumentText(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function usage(path: string, command: Command): string {
  const parts = [path, ...command.registeredArguments.map(argumentText)];
  return [...parts, ...(command.options.length > 0 ? ['[options]'] : [])].join(' ');
}

function optionSaid(option: Option): string {
  const choices = option.argChoices === undefined ? '' : ` (${option.argChoices.join(', ')})`;
  return `${option.description}${choices}${option.mandatory ? '; required' : ''}`;
}

function* section(command: Command, path: string): Generator<string> {
  yield `### \`${usage(path, command)}\``;
  yield '';
  yield sentence(command.description());
  const rows = [
    ...command.registeredArguments.map((argument) => [
      argumentText(argument),
      argument.description,
    ]),
    ...command.options
      .filter((option) => !option.hidden)
      .map((option) => [option.flags, optionSaid(option)]),
  ];
  if (rows.length > 0) {
    yield '';
    yield '| | |';
    yield '| --- | --- |';
    for (const [name = '', said = ''] of rows) yield `| \`${cell(name)}\` | ${cell(said)} |`;
  }
  yield '';
}

function isMissing(command: Command): boolean {
  return command.description() === 'not built yet';
}

function* commandsOf(parent: Command, path: string): Generator<[Command, string]> {
  for (const command of parent.commands) {
    const words = `${path} ${command.name()}`;
    if (command.commands.length === 0) yield [command, words];
    else yield* commandsOf(command, words);
  }
}

const HEAD = `# Command line

Written from the command tree by \`npx node scripts/cli-reference.mjs\`; do not edit by hand.

Exit code 0 is success, 1 a failure, 2 wrong usage; a service that refuses to start exits 3. Errors go to standard error as \`✗ message\`. \`--json\` prints one JSON document: the platform's answer as it came, wherever there is one. Colours appear on a terminal only, and not under \`NO_COLOR\`.

Commands that speak to a platform choose it in this order: \`--profile\` (its address unless \`--service-url\` is given, its key), \`--service-url\`, the project's \`service.default_url\`, the active profile, and else the platform of this computer: in the same process on its data folder, or the one that serves that folder already. \`--data\` names this computer outright. \`spec\` commands look at the file in this process unless \`--profile\` or \`--service-url\` is given.
`;

/** The reference of all commands as Markdown. */
export function referenceOf(program: Command): string {
  const lines: string[] = [HEAD];
  for (const group of program.commands) {
    const path = `${program.name()} ${group.name()}`;
    lines.push(`## ${group.name()}`, '');
    if (group.commands.length === 0) {
      lines.push(...section(group, path));
      continue;
    }
    lines.push(sentence(group.description()), '');
    const all = [...commandsOf(group, path)];
    for (const [command, words] of all) {
      if (!isMissing(command)) lines.push(...section(command, words));
    }
    const missing = all.filter(([command]) => isMissing(command)).map(([, words]) => words);
    if (missing.length > 0) {
      const named = missing.map((words) => `\`${words}\``).join(', ');
      lines.push(`Not built yet, exit 1 with \`not_implemented\`: ${named}.`, '');
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
