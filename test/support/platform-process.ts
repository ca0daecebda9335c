// A platform in a process of its own, to be killed: argv = store file. Prints its address.
import { startTestPlatform } from './platform.ts';

const platform = await startTestPlatform({
  file: process.argv[2] ?? '',
  env: { SERV_WORKER_LEASE_SECONDS: '300' },
  handlers: { 'work.hang': () => new Promise(() => setTimeout(() => undefined, 60_000)) },
});
process.stdout.write(`${platform.url}\n`);
