import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const arg = process.argv.slice(1).find((a) => !a.startsWith('-'));
const target = path.resolve(arg ?? '.');
let entry = target;
let root = path.dirname(target);
if (target.endsWith('.asar') || statSync(target).isDirectory()) {
  root = target;
  const pkg = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  app.setName(pkg.productName ?? pkg.name);
  if (pkg.version) app.setVersion(pkg.version);
  if (pkg.desktopName) app.setDesktopName(pkg.desktopName);
  entry = path.resolve(root, pkg.main ?? 'index.js');
}
app.setAppPath(root);
process.defaultApp = true;
await import(pathToFileURL(entry).href);
