import { expect, test } from 'vitest';
import { fileStem, fileStemOfTitle } from './file-stem.ts';

test('a title becomes a file name that every system takes', () => {
  expect(fileStemOfTitle('Support triage')).toBe('support-triage');
  expect(fileStemOfTitle('  Rückfragen: Größe / Maß  ')).toBe('ruckfragen-groe-ma');
  expect(fileStemOfTitle('X - Response: e-mail')).toBe('x-response-e-mail');
  expect(fileStemOfTitle('letter.yaml')).toBe('letter');
  expect(fileStemOfTitle('../../etc/passwd')).toBe('etc-passwd');
  expect(fileStemOfTitle('x'.repeat(300))).toHaveLength(96);
  for (const empty of ['', '…', '工作流', 'CON', '---']) {
    expect(fileStemOfTitle(empty)).toBeUndefined();
  }
});

test('a path gives its last segment', () => {
  expect(fileStem('exports/Order Desk.json')).toBe('order-desk');
});
