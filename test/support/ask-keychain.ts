// Asks the keychain of this system: for each number that comes in, that many questions at once, then
// for a file, which waits for the same threads.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { createSystemKeychain } from '../../server/runtime/keychain.ts';

const keychain = createSystemKeychain();
const isRead = async () => {
  await readFile(import.meta.filename);
  return 'read';
};

for await (const line of createInterface({ input: process.stdin })) {
  const start = performance.now();
  const asked = Array.from({ length: Number(line) }, () => keychain.look([]));
  const states = (await Promise.all(asked)).map(({ state }) => state);
  const file = await Promise.race([isRead(), wait(3000, 'waits')]);
  process.stdout.write(`${JSON.stringify({ states, file, ms: performance.now() - start })}\n`);
}
