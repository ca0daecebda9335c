// A model in a container, in the OpenAI format: says who asks, and answers once the file is there that is
// its only argument. So runs stay under way for as long as a test wants.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , mayAnswer = ''] = process.argv;
const TEXT = 'Your parcel comes on Tuesday.';
const frame = (delta: object, more: object) =>
  `data: ${JSON.stringify({
    ...{ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: null, ...more }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })}\n\n`;

createServer(async (request, response) => {
  process.stdout.write(`asked by ${request.socket.remoteAddress?.replace('::ffff:', '')}\n`);
  request.resume();
  while (!existsSync(mayAnswer)) await sleep(100);
  response.setHeader('content-type', 'text/event-stream');
  response.write(frame({ role: 'assistant', content: TEXT }, {}));
  response.end(`${frame({}, { finish_reason: 'stop' })}data: [DONE]\n\n`);
}).listen(9000);
