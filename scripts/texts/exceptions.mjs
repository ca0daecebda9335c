// What looks like text for people and is none: each with its reason. `text` narrows a line to one string.

/** Tables that are read before the language is known: their properties are messages, said by `translated`. */
export const TABLES = [{ file: 'preload/commands.ts', properties: ['title', 'group'] }];

export const EXCEPTIONS = [
  { file: 'renderer/features/projects/blank-spec.ts', why: 'a spec' },
  {
    file: 'renderer/features/settings/connections/connection-test.tsx',
    text: 'danger',
    why: 'a tone',
  },
  { file: 'main/changed-shortcuts.ts', text: 'Left', why: 'a key, as the system names it' },
  { file: 'main/changed-shortcuts.ts', text: 'Right', why: 'a key, as the system names it' },
  { file: 'main/changed-shortcuts.ts', text: 'Up', why: 'a key, as the system names it' },
  { file: 'main/changed-shortcuts.ts', text: 'Down', why: 'a key, as the system names it' },
  { file: 'main/changed-shortcuts.ts', text: 'Return', why: 'a key, as the system names it' },
  { file: 'renderer/app/shortcut.ts', text: 'Plus', why: 'a key' },
  { file: 'renderer/app/shortcut.ts', text: 'Process', why: 'a key' },
  { file: 'renderer/app/shortcut.ts', text: 'Unidentified', why: 'a key' },
  { file: 'renderer/app/shortcut.ts', text: 'Del', why: 'a key' },
  {
    file: 'renderer/features/editor/use-editor-theme.ts',
    text: '(prefers-color-scheme: dark)',
    why: 'a question to the system',
  },
  { file: 'renderer/ui/use-contrast.ts', why: 'questions to the system' },
  { file: 'renderer/run-input/trigger-form.ts', text: 'text', why: 'a kind of field' },
  { file: 'renderer/workbench/use-news.tsx', text: 'red', why: 'a colour' },
  { file: 'main/content-security-policy.ts', why: 'a policy that the browser reads' },
  { file: 'main/app-protocol.ts', text: 'not found', why: 'an answer to a program' },
  { file: 'main/ipc.ts', text: 'only the workbench may ask the shell', why: 'told to intruders' },
  {
    file: 'main/follow-window.ts',
    text: "The window's process ended: {}",
    why: 'a line of the log',
  },
  {
    file: 'main/shell-state.ts',
    text: "The window's state cannot be saved: {}",
    why: 'a line of the log',
  },
  { file: 'main/updates/update-desk.ts', text: 'Updates: {}', why: 'a line of the log' },
  {
    file: 'main/updates/updater.ts',
    text: 'Start {} after the update to {}',
    why: 'a line of the log',
  },
  { file: 'main/updates/updater.ts', text: 'Update: {}: {}', why: 'a line of the log' },
  {
    file: 'main/updates/updater.ts',
    text: "The updates' choices cannot be saved: {}",
    why: 'a line of the log',
  },
  {
    file: 'main/updates/feed.ts',
    text: 'specwright update feed 1\n',
    why: 'part of what is signed',
  },
  { file: 'main/updates/tar-installer.ts', text: '-xzf', why: 'an option of a command' },
  {
    file: 'main/updates/system-installer.ts',
    text: 'the package lies in a folder with a quote in its name',
    why: 'a line of the log',
  },
  { file: 'main/window.ts', text: 'Specwright', why: 'the name of the program' },
  { file: 'main/program-tray.ts', text: 'Specwright', why: 'the name of the program' },
  { file: 'main/menu-model.ts', text: 'there is no command {}', why: 'a fault of the program' },
];

/** The reason why a text of a file is none for people; undefined where it is one. */
export function exceptionFor(file, text) {
  return EXCEPTIONS.find(
    (one) => one.file === file && (one.text === undefined || one.text === text),
  );
}
