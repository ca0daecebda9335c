import { expect, test } from 'vitest';
import { readLogLine } from './log-line.ts';

test('a line of the services has time, level, words and what was noted beside them', () => {
  const raw =
    '{"level":50,"time":"2026-01-02T03:04:05.678Z","path":"/api/me","msg":"request","status_code":500}';
  expect(readLogLine(raw, 7)).toEqual({
    at: 7,
    time: '2026-01-02T03:04:05.678Z',
    level: 'error',
    source: 'services',
    text: 'request',
    fields: '{"path":"/api/me","status_code":500}',
  });
});

test('a line of the shell says that it is one', () => {
  const raw = '{"level":"warn","time":"2026-01-02T03:04:05.678Z","source":"shell","msg":"No disk"}';
  expect(readLogLine(raw, 0)).toMatchObject({ level: 'warn', source: 'shell', text: 'No disk' });
});

test.each(['plain words', '{"half', '[1]', '{"level":"odd","time":"never"}'])(
  '%s is output of the services',
  (raw) => {
    const line = readLogLine(raw, 0);
    expect(line).toMatchObject({ level: 'output', time: null, source: 'services' });
    expect(line.text).not.toBe('');
  },
);

test('secrets are masked by key and by text, and what would be obeyed is written out', () => {
  const secret = 'sk-abcdefghijklmnop';
  for (const raw of [
    JSON.stringify({ level: 30, msg: `use ${secret}`, token: secret, at: { api_key: secret } }),
    `Error: Authorization: Bearer ${secret}`,
    `{"cut": "${secret}`,
  ]) {
    const line = readLogLine(raw, 0);
    expect(JSON.stringify(line)).not.toContain(secret);
    expect(JSON.stringify(line)).toContain('[REDACTED]');
  }
  expect(readLogLine('a\u001b[31mred', 0).text).toBe('a\\u001b[31mred');
});

test('of a very long line the beginning is shown', () => {
  expect(readLogLine('z'.repeat(100_000), 0).text.length).toBeLessThan(17_000);
});
