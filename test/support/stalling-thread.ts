// Stands in for the execution thread: the run `stalls` computes without end, every other run waits
// until a thread is asked a second time.
import { parentPort, workerData } from 'node:worker_threads';
import { createThreadPulse } from '../../server/platform/threads/thread-pulse.ts';

const pulse = createThreadPulse(workerData.pulse);
const beats = setInterval(() => pulse.beat(), 50);
const isSecond = String(workerData.owner).endsWith('.2');

parentPort?.on('message', (message) => {
  if (message.type === 'drain') {
    clearInterval(beats);
    parentPort?.close();
  }
  if (message.type !== 'execute') return;
  const { run_id, token } = message.leg;
  pulse.enter(run_id);
  while (run_id === 'stalls');
  if (isSecond)
    parentPort?.postMessage({ type: 'leg_ended', run_id, token, end: { kind: 'lost' } });
});
