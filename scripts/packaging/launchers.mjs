// The program `specwright` of a package: it picks between the window and the command line.
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COMMAND_WORDS } from '../command-words.mjs';
import { root } from '../toolchain.mjs';

const WINDOWS_LAUNCHER = String.raw`@echo off
rem Runs a command without a window; the window is Specwright.exe.
"%~dp0..\node\node.exe" "%~dp0..\app.asar.unpacked\out\main\server.mjs" %*
`;

function shellLauncher(window, resources) {
  return readFileSync(path.join(root, 'scripts/packaging/launcher.sh'), 'utf8')
    .replace('@COMMANDS@', COMMAND_WORDS.join(' | '))
    .replace('@WINDOW@', window)
    .replace('@RESOURCES@', resources);
}

function writeProgram(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

/** Where macOS and Windows have the command: `bin` of the resources. */
export function addCommand(resources, platform) {
  if (platform === 'darwin')
    writeProgram(
      path.join(resources, 'bin/specwright'),
      shellLauncher('../../MacOS/Specwright', '..'),
    );
  if (platform === 'win32')
    writeProgram(
      path.join(resources, 'bin/specwright.cmd'),
      WINDOWS_LAUNCHER.replaceAll('\n', '\r\n'),
    );
}

/** On Linux the command takes the name of the program, which becomes `specwright-window`. */
export function putLauncherFirst(folder) {
  const program = path.join(folder, 'specwright');
  renameSync(program, `${program}-window`);
  writeProgram(program, shellLauncher('specwright-window', 'resources'));
}
