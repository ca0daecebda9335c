// A platform in a process of its own, to be attacked: argv = store file, settings as JSON, folder of
// specs. Prints its address.
import { startTestPlatform } from './platform.ts';

const [, , file = '', settings = '{}', specRoot = '.'] = process.argv;

const platform = await startTestPlatform({
  file,
  specRoot,
  thread: true,
  checkResponses: false,
  env: { SERV_REQUEST_LOGS: 'false', ...JSON.parse(settings) },
  handlers: {
    'grow.double': ([input]) => `${String(input)}${String(input)}`,
    'grow.wait': () => new Promise(() => setTimeout(() => undefined, 60_000)),
    'grow.list': ([input]) => Array.from({ length: 1000 }, () => input),
  },
});
process.stdout.write(`${platform.url}\n`);
// Each line is how many milliseconds the clock of all threads is off from now on.
process.stdin.on('data', (chunk) => {
  platform.clock.skewMs = Number(String(chunk).trim());
});
