import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from './program.ts';
import { referenceOf } from './reference.ts';
import { addCompletionWords } from './words/completion-words.ts';

function tree(): Command {
  const program = createProgram('0.0.0');
  addCompletionWords(program);
  return program;
}

function find(program: Command, words: string): Command | undefined {
  return words
    .split(' ')
    .reduce<Command | undefined>(
      (command, word) => command?.commands.find((child) => child.name() === word),
      program,
    );
}

/** Words and flags of contract/platform.md 13 and decisions 29. */
const CONTRACT: Readonly<Record<string, string>> = {
  'config show': '--json',
  'config init': '--name --force',
  'config resolve': '--env --spec --json',
  'config secrets': '--env --json',
  'config render-spec': '--output --env --spec',
  'config profile set': '--service-url --api-key --activate --no-activate --json',
  'config profile use': '--json',
  'config profile list': '--json',
  'config profile show': '--json',
  'config profile delete': '--json',
  'spec validate': '--env --json --service-url --profile',
  'spec lint': '--env --json --service-url --profile',
  'spec compile': '--env --json --service-url --profile',
  'spec explain': '--env --json --service-url --profile',
  'spec policy-report': '--env --json --service-url --profile',
  'spec resolve': '--output --env',
  'spec migrate': '--output --check --json',
  'spec bundle sign': '--output --approved-by --env --key-env --json',
  'spec bundle verify': '--key-env --json',
  run: '--input --target --env --json --service-url --profile',
  'runs get': '--json --service-url --profile',
  'runs trace': '--json --service-url --profile',
  'runs checkpoints': '--json --service-url --profile',
  'runs replay': '--json --service-url --profile',
  'runs cancel': '--json --service-url --profile',
  'runs checkpoint-diff': '--from-sequence --to-sequence --json --service-url --profile',
  'human list': '--json --service-url --profile',
  'human get': '--json --service-url --profile',
  'human resume': '--request-id --approve --reject --edit --provide --select',
  'service serve': '--host --port --reload',
  'service sweep': '--json',
  'service retention': '--dry-run --json',
  serve:
    '--data --host --gateway-port --platform-port --dashboard-port --studio-port --project --trust --platform-url --platform-key',
  'dashboard serve': '',
  'dashboard recover': '',
  'dashboard prune': '--older-than-days --export-dir --by --table --dry-run --vacuum',
  'studio serve': '',
  'studio principal approve': '',
  'studio project attach': '',
  'studio draft register': '',
  'studio env add': '',
  'studio keys status': '',
  'studio quota set-taint-cap': '',
  'studio bootstrap-token': '',
};

describe('the command tree (platform.md 13, decisions 29, RP-002, RP-157)', () => {
  test.each(Object.entries(CONTRACT))('%s', (words, flags) => {
    const command = find(tree(), words);
    expect(command, words).toBeDefined();
    const known = command?.options.map((option) => option.long) ?? [];
    expect(known).toEqual(expect.arrayContaining(flags.split(' ').filter(Boolean)));
  });

  test.each([
    'runs checkpoint-diff x --from-sequence a',
    'runs checkpoint-diff x --to-sequence 0',
    'runs rerun x --from-sequence 1.5',
    'runs list --limit 1001',
    'human list --limit -1',
    'service serve --port 65536',
    'serve --gateway-port zero',
  ])('%s is wrong usage, told before anything is done', async (words) => {
    const program = tree();
    const quiet = (command: Command): void => {
      command.configureOutput({ writeErr: () => undefined });
      command.commands.forEach(quiet);
    };
    quiet(program);
    await expect(program.parseAsync(words.split(' '), { from: 'user' })).rejects.toMatchObject({
      code: 'commander.invalidArgument',
    });
  });

  test('the launcher knows the first words', async () => {
    const file = path.resolve(import.meta.dirname, '../../scripts/command-words.mjs');
    const { COMMAND_WORDS } = await import(file);
    const names = tree().commands.flatMap((command) => [command.name(), ...command.aliases()]);
    expect([...COMMAND_WORDS].sort()).toEqual(names.sort());
  });

  test('every command and every option says what it does', () => {
    const check = (command: Command): void => {
      expect(command.description(), command.name()).not.toBe('');
      for (const option of command.options) expect(option.description, option.flags).not.toBe('');
      command.commands.forEach(check);
    };
    check(tree());
  });

  test('docs/cli.md is that of the tree; "npx node scripts/cli-reference.mjs" writes it (RP-002)', () => {
    const file = path.resolve(import.meta.dirname, '../../docs/cli.md');
    expect(readFileSync(file, 'utf8')).toBe(referenceOf(tree()));
  });
});
