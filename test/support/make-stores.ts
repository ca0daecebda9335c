// Makes the data folder of this version for test/fixtures/stores; run once, before the version is
// tagged: node test/support/make-stores.ts
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createCli } from './cli.ts';
import { fillStores, keepStores, RELEASED } from './released-stores.ts';
import { serve } from './served.ts';

const manifest = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
if (existsSync(path.join(RELEASED, version))) {
  throw new Error(`The folder of ${version} is kept already; what was released does not change.`);
}
const cli = createCli();
try {
  const served = await serve(cli);
  const facts = await fillStores(cli, served);
  await served.stop();
  keepStores(cli, version, facts);
} finally {
  cli.dispose();
}
