// A platform in a process of its own that tells a receiver on loopback, to be killed: argv = store file.
import { startTestPlatform } from './platform.ts';

const platform = await startTestPlatform({
  file: process.argv[2] ?? '',
  env: { SERV_EVENTS_PRIVATE_ADDRESSES: 'true' },
});
process.stdout.write(`${platform.url}\n`);
