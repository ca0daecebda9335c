#!/usr/bin/env node
// Stand-in for the "fpm" program that electron-builder calls (CUSTOM_FPM_PATH): makes a .deb with dpkg-deb.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const FLAGS_WITHOUT_VALUE = new Set(['--force', '--debug']);
const REPEATED = { '-d': 'depends', '--depends': 'depends', '--deb-recommends': 'recommends' };

function parseArguments(words) {
  const options = { depends: [], recommends: [], inputs: [], single: {} };
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (!word.startsWith('-')) options.inputs.push(word);
    else if (!FLAGS_WITHOUT_VALUE.has(word)) takeOption(options, word, queue);
  }
  return options;
}

function takeOption(options, word, queue) {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  const key = equals < 0 ? word : word.slice(0, equals);
  const value = equals < 0 ? queue.shift() : word.slice(equals + 1);
  const list = REPEATED[key];
  if (list) options[list].push(value);
  else options.single[key.replace(/^-+/, '')] = value;
}

function stageInputs(inputs, target) {
  for (const input of inputs) {
    const equals = input.lastIndexOf('=');
    const source = input.slice(0, equals);
    const destination = path.join(target, input.slice(equals + 1));
    if (source.endsWith('/') || statSync(source).isDirectory()) {
      cpSync(source, destination, { recursive: true, verbatimSymlinks: true });
    } else {
      mkdirSync(path.dirname(destination), { recursive: true });
      copyFileSync(source, destination);
      chmodSync(destination, 0o644);
    }
  }
}

function openFolders(folder) {
  if (!lstatSync(folder).isDirectory()) return;
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder)) openFolders(path.join(folder, name));
}

function sizeOf(file) {
  const stat = lstatSync(file);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0);
}

function controlFile({ depends, recommends, single }, bytes) {
  const [head = '', ...rest] = (single.description ?? '').split('\n');
  const version = `${single.version}${single.iteration ? `-${single.iteration}` : ''}`;
  const lines = [
    `Package: ${single.name}`,
    `Version: ${version}`,
    `Architecture: ${single.architecture}`,
    `Maintainer: ${single.maintainer}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    depends.length > 0 && `Depends: ${depends.join(', ')}`,
    recommends.length > 0 && `Recommends: ${recommends.join(', ')}`,
    `Section: ${single.category ?? 'devel'}`,
    `Priority: ${single['deb-priority'] ?? 'optional'}`,
    single.url && `Homepage: ${single.url}`,
    `Description: ${head.trim() || single.name}`,
    ...rest.map((line) => (line.trim() ? ` ${line.trim()}` : ' .')),
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}

const options = parseArguments(process.argv.slice(2));
if (options.single.t !== 'deb') {
  process.stderr.write(`fpm stand-in: only deb is supported, not ${options.single.t}\n`);
  process.exit(1);
}
const stage = mkdtempSync(path.join(tmpdir(), 'specwright-deb-'));
try {
  const target = path.join(stage, 'root');
  stageInputs(options.inputs, target);
  openFolders(target);
  const control = controlFile(options, sizeOf(target));
  mkdirSync(path.join(target, 'DEBIAN'));
  writeFileSync(path.join(target, 'DEBIAN/control'), control);
  for (const [option, name] of [
    ['after-install', 'postinst'],
    ['after-remove', 'postrm'],
  ]) {
    const script = options.single[option];
    if (!script) continue;
    writeFileSync(path.join(target, 'DEBIAN', name), readFileSync(script));
    chmodSync(path.join(target, 'DEBIAN', name), 0o755);
  }
  mkdirSync(path.dirname(options.single.package), { recursive: true });
  const asked = options.single['deb-compression'] ?? 'xz';
  const compression = asked === 'gz' ? 'gzip' : asked;
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', `-Z${compression}`, '--build', target, options.single.package],
    { stdio: 'inherit' },
  );
} finally {
  rmSync(stage, { recursive: true, force: true });
}
