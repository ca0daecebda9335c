import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startTestPlatform } from './platform.ts';
import { startStudioUnderTest } from './studio-app.ts';
import { startWorstDashboard, startWorstGateway } from './worst-doors.ts';

// One service in a process of its own, which tells how long its event loop stood still:
// node test/support/worst-service.ts platform | (studio | dashboard | gateway) PLATFORM_URL

const [, , kind, platformUrl = ''] = process.argv;

async function addressOf(): Promise<string> {
  if (kind === 'platform') {
    return (await startTestPlatform({ checkResponses: false, thread: true })).url;
  }
  if (kind === 'dashboard') return (await startWorstDashboard(platformUrl)).url;
  if (kind === 'gateway') return (await startWorstGateway(platformUrl)).url;
  const platform = { url: platformUrl, apiKey: 'admin-key' };
  return (await startStudioUnderTest(platformUrl, { checkResponses: false, platform })).url;
}

const url = await addressOf();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let peak = 0;
// What the loop's own thread computed in one turn: other programs of a loaded machine are not in it.
let computed = 0;
let before = threadCpu();
function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
const turns = setInterval(() => {
  const now = threadCpu();
  computed = Math.max(computed, now - before);
  before = now;
}, 1);
turns.unref();
const memory = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);
memory.unref();

process.on('message', () => {
  process.send?.({ blocked: delay.max / 1e6, computed, peak: peak / 2 ** 20 });
  delay.reset();
  peak = 0;
  computed = 0;
});
process.send?.({ url });
