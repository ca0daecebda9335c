// One node of a platform in a process of its own: argv = name of the database, file of effects, role,
// further settings and options of the platform as JSON. Each effect is one line there. Prints its address.
import { appendFileSync } from 'node:fs';
import { startTestPlatform } from './platform.ts';

const [, , database = '', effects = '', role = 'all', settings = '{}', more = '{}'] = process.argv;

const { stepMs = 2, ...options } = JSON.parse(more);

const platform = await startTestPlatform({
  ...options,
  database,
  role: role === 'api' || role === 'worker' ? role : 'all',
  thread: true,
  checkResponses: false,
  env: {
    SERV_WORKER_CONCURRENCY: '2',
    SERV_REQUEST_LOGS: 'false',
    SERV_QUEUE_MAX_ATTEMPTS: '0',
    ...JSON.parse(settings),
  },
  handlers: {
    'work.note': async ([input]) => {
      appendFileSync(effects, `${String(input)}\n`);
      await new Promise((resolve) => setTimeout(resolve, stepMs));
      return `${String(input)}.`;
    },
  },
});
process.stdout.write(`${platform.url}\n`);
