// The software bill of materials (CycloneDX): npm's own, without what only builds and tests.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { capture, modernNode, root } from '../toolchain.mjs';
import { buildSeconds } from './stage.mjs';

async function output(command, words) {
  const { code, output: text } = await capture(command, words, { stdio: ['ignore', 'pipe', 2] });
  if (code !== 0) throw new Error(`${command} ${words.join(' ')} failed`);
  return text;
}

/** An identifier that is the same for the same contents. */
function serialOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Writes the bill of what the packages hold beside them. */
export async function writeBill({ output: folder, name, version, runtime }) {
  const notices = path.join(root, 'scripts/third-party.mjs');
  const shipped = new Set((await output(modernNode(), [notices, '--list'])).trim().split('\n'));
  const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const whole = JSON.parse(await output('npm', [...words, '--sbom-type', 'application']));
  // Bundled packages are dependencies of the build only; here they are parts of the program.
  const components = whole.components
    .filter((one) => shipped.has(one['bom-ref']))
    .map((one) => ({ ...one, scope: 'required', properties: [] }));
  const references = new Set(components.map((one) => one['bom-ref']));
  const absent = [...shipped].filter((one) => !references.has(one));
  if (absent.length > 0) throw new Error(`the bill of materials lacks ${absent.join(', ')}`);
  const { component } = whole.metadata;
  const self = `${name}@${version}`;
  const dependencies = whole.dependencies
    .filter((one) => references.has(one.ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => references.has(ref)) }));
  const bill = {
    ...whole,
    serialNumber: serialOf(JSON.stringify(components)),
    metadata: {
      ...whole.metadata,
      timestamp: new Date(buildSeconds() * 1000).toISOString(),
      component: { ...component, 'bom-ref': self, type: 'application', name, version },
      // What these packages run on; the component "electron" is the one that is released.
      properties: [{ name: 'specwright:electron', value: runtime }],
    },
    components,
    dependencies: [...dependencies, { ref: self, dependsOn: [...references] }],
  };
  const file = path.join(folder, `${name}-${version}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  return components.length;
}
