import { rmSync } from 'node:fs';
import { patchText } from '../../spec/edit/diff-lines.ts';
import { paint, printLine } from '../output.ts';
import { writeFile } from '../write-file.ts';
import { attributeLines, attributesFile, attributesIn, withLines } from './attributes.ts';
import { type Scope, type SettingChange, settingChanges, writeSetting } from './git-settings.ts';

export interface GitSetupOptions {
  readonly global?: boolean;
  readonly remove?: boolean;
  readonly dryRun?: boolean;
}

function showSettings(scope: Scope, changes: readonly SettingChange[]): void {
  if (changes.length === 0) return;
  printLine(
    paint('bold', scope === '--global' ? 'Your git settings' : 'Settings of this repository'),
  );
  for (const { name, before, after } of changes) {
    if (before !== undefined) printLine(`- ${name} = ${before}`);
    if (after !== undefined) printLine(`+ ${name} = ${after}`);
  }
}

/** `git-setup`: shows what it writes, then writes it; with `remove` takes it away again. */
export function gitSetup(patterns: readonly string[], options: GitSetupOptions): number {
  const scope = options.global ? '--global' : '--local';
  const file = attributesFile(scope);
  const remove = options.remove ?? false;
  const changes = settingChanges(scope, remove);
  const before = attributesIn(file);
  const after = withLines(before, remove ? [] : attributeLines(scope, file, patterns));
  if (changes.length === 0 && before === after) {
    printLine(remove ? 'Nothing of Specwright is set up here.' : 'All of it is set up already.');
    return 0;
  }
  showSettings(scope, changes);
  if (before !== after) printLine(patchText(file, before, after));
  if (options.dryRun) return 0;
  for (const change of changes) writeSetting(scope, change);
  if (after === '') rmSync(file, { force: true });
  else if (before !== after) writeFile(file, after);
  printLine(
    remove
      ? 'Git compares and merges specs by lines again.'
      : 'Git compares and merges specs by what they say. "--remove" takes it away again.',
  );
  return 0;
}
