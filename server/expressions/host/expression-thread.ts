// The entry of the thread in which expressions and code are computed.
import { parentPort, workerData } from 'node:worker_threads';
import { SQL_REALMS, STEP_REALMS } from './machine.ts';
import { MachinePool } from './machine-pool.ts';
import { StepWork } from './step-work.ts';
import type { ExpressionThreadSetup, ToExpressionThread } from './thread-words.ts';

const { limits, pulse } = workerData as ExpressionThreadSetup;
const port = parentPort;
if (port === null) throw new Error('expression-thread.ts is started as a thread');

const work = new StepWork(
  {
    steps: new MachinePool(limits, STEP_REALMS),
    queries: new MachinePool({ ...limits, machines: 1 }, SQL_REALMS),
  },
  limits,
  (words) => port.postMessage(words),
  (id) => {
    Atomics.store(pulse, 0, id);
    Atomics.add(pulse, 1, 1);
  },
);

port.on('message', (words: ToExpressionThread) => {
  switch (words.type) {
    case 'evaluate':
      void work.evaluate(words);
      return;
    case 'code':
      void work.runCode(words);
      return;
    case 'stop':
      work.stop(words.id);
      return;
    case 'answer':
      work.answer(words.id, words.call, words.isDone, words.text);
  }
});
