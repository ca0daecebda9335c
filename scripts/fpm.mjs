#!/usr/bin/env node
// Stands in the place of the "fpm" program that electron-builder calls (CUSTOM_FPM_PATH) and writes
// a .deb with dpkg-deb or an .rpm with rpmbuild. Times, owners, modes and order are the same at each
// build, and the command `specwright` is a file of the package.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeDeb } from './packaging/deb.mjs';
import { writeRpm } from './packaging/rpm.mjs';
import { stageInputs } from './packaging/stage.mjs';

const WRITERS = { deb: writeDeb, rpm: writeRpm };
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

const options = parseArguments(process.argv.slice(2));
const write = WRITERS[options.single.t];
if (write === undefined) {
  process.stderr.write(`only deb and rpm are written, not ${options.single.t}\n`);
  process.exit(1);
}
const scratch = mkdtempSync(path.join(tmpdir(), 'specwright-package-'));
try {
  const target = path.join(scratch, 'root');
  stageInputs(options, target);
  mkdirSync(path.dirname(options.single.package), { recursive: true });
  write(options, target, scratch);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
