import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { runGit, tryGit } from './git.ts';

/** Where git keeps a setting. */
export type Scope = '--local' | '--global';

/** One setting, as it is and as it is to be; undefined for one that is not there. */
export interface SettingChange {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '/').replaceAll("'", "'\\''")}'`;
}

function isOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return path.isAbsolute(folder);
    } catch {
      return false;
    }
  });
}

/** How git's shell calls this program: by its name where it is found by it. */
function ownCommand(): string {
  const names =
    process.platform === 'win32' ? ['specwright.exe', 'specwright.cmd'] : ['specwright'];
  if (names.some(isOnPath)) return 'specwright';
  return `${quoted(process.execPath)} ${quoted(process.argv[1] ?? '')}`;
}

function wantedSettings(): readonly (readonly [name: string, value: string])[] {
  const own = ownCommand();
  // What cannot be merged or compared here, git's own means do: nobody is stuck without the program.
  const merge = `${own} merge %O %A %B --output %A --name %P --marker-size %L; s=$?; test $s -le 1 && exit $s; git merge-file --marker-size=%L %A %O %B`;
  const diff = `f() { ${own} diff "$2" "$5" --name "$1" --lines || git --no-pager diff --no-index --no-ext-diff -- "$2" "$5" || true; }; f`;
  return [
    ['merge.specwright.name', 'Specwright: specs by what they say'],
    ['merge.specwright.driver', merge],
    ['diff.specwright.command', diff],
  ];
}

/** The settings that differ from what they are to be. @throws CommandFailure */
export function settingChanges(scope: Scope, remove: boolean): readonly SettingChange[] {
  return wantedSettings()
    .map(([name, value]) => ({
      name,
      before: tryGit(['config', scope, '--get', name]),
      after: remove ? undefined : value,
    }))
    .filter(({ before, after }) => before !== after);
}

/** @throws CommandFailure */
export function writeSetting(scope: Scope, { name, after }: SettingChange): void {
  if (after === undefined) runGit(['config', scope, '--unset-all', name]);
  else runGit(['config', scope, '--replace-all', name, after]);
}
