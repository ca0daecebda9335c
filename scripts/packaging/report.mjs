// What stands beside the packages: their sizes against the budgets, and their checksums.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sizeOf } from './stage.mjs';

const MIB = 1024 * 1024;
const PACKAGE = /\.(?:deb|rpm|AppImage|tar\.gz|exe|dmg|zip)$/;

/** MiB that a package may have; packages made in a hurry (--fast) are not held to them. */
const BUDGETS = { deb: 130, rpm: 130, AppImage: 160, 'tar.gz': 160, exe: 150, dmg: 170, zip: 180 };

/** Packages in a folder, by name. */
export function packagesIn(folder) {
  return readdirSync(folder)
    .filter((name) => PACKAGE.test(name))
    .sort();
}

const kindOf = (name) => PACKAGE.exec(name)?.[0].slice(1) ?? '';
const mib = (bytes) => (bytes / MIB).toFixed(1);

/** What the unpacked folder's space goes to. */
function shares(folder) {
  const resources = path.join(folder, 'resources');
  const unpacked = path.join(resources, 'app.asar.unpacked');
  const parts = {
    node: path.join(resources, 'node'),
    window: path.join(unpacked, 'out/renderer'),
    services: path.join(unpacked, 'out/main'),
    modules: path.join(unpacked, 'node_modules'),
  };
  const sizes = Object.entries(parts).map(([name, part]) => [
    name,
    existsSync(part) ? sizeOf(part) : 0,
  ]);
  const all = sizeOf(folder);
  const rest = all - sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  return Object.fromEntries([['unpacked', all], ...sizes, ['electron and the rest', rest]]);
}

/** Writes sizes.json; answers lines to print and the packages that are too large. */
export function reportSizes({ output, fast }, folder) {
  const parts = folder === undefined ? {} : shares(folder);
  const packages = packagesIn(output).map((name) => ({
    name,
    bytes: statSync(path.join(output, name)).size,
    budget_mib: BUDGETS[kindOf(name)],
  }));
  writeFileSync(
    path.join(output, 'sizes.json'),
    `${JSON.stringify({ packages, parts }, null, 2)}\n`,
  );
  const over = fast ? [] : packages.filter((one) => one.bytes > one.budget_mib * MIB);
  return {
    lines: [
      ...Object.entries(parts).map(([name, bytes]) => `  ${mib(bytes)} MiB ${name}`),
      ...packages.map(
        (one) =>
          `  ${mib(one.bytes)} MiB ${one.name} (budget ${fast ? 'not held' : one.budget_mib})`,
      ),
    ],
    over: over.map((one) => `${one.name} has ${mib(one.bytes)} MiB, budget ${one.budget_mib}`),
  };
}

async function sha256(file) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** The lines of `sha256sum` for the packages and what stands beside them. */
export async function writeChecksums(output) {
  const names = readdirSync(output)
    .filter((name) => PACKAGE.test(name) || /\.(?:cdx\.json|blockmap|yml|yml\.sig)$/.test(name))
    .filter((name) => !name.startsWith('builder-'))
    .sort();
  const lines = [];
  for (const name of names) lines.push(`${await sha256(path.join(output, name))}  ${name}\n`);
  writeFileSync(path.join(output, 'SHA256SUMS'), lines.join(''));
}
