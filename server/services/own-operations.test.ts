import { describe, expect, it } from 'vitest';
import { unserved } from './unserved.ts';

const sheet = { documentId: { __rl: true, value: 'd' }, sheetName: { __rl: true, value: 'gid=0' } };
const mail = { sendTo: '={{ $json.to }}', message: 'Hi' };
const calendar = { calendar: { __rl: true, value: 'c' } };
const text = (field: object) => ({
  operation: 'update',
  documentURL: 'd',
  actionsUi: { actionFields: [field] },
});

describe('what a handler of its own does of a service', () => {
  it.each([
    ['googleSheets', 4.5, { ...sheet, filtersUI: { values: [{ lookupColumn: 'a' }] } }],
    ['googleSheets', 4.6, { ...sheet, operation: 'append', columns: { value: {} }, options: {} }],
    ['gmail', 2.1, { ...mail, options: { appendAttribution: false, ccList: 'a@x.org' } }],
    ['gmail', 2.1, { operation: 'getAll', filters: { q: 'x' }, options: {} }],
    ['gmail', 2.1, { operation: 'get', messageId: 'm', simple: false }],
    ['googleCalendar', 1.3, { ...calendar, operation: 'getAll' }],
    ['googleDocs', 2, text({ action: 'insert', text: 'x' })],
    ['googleDrive', 3, { name: 'x', folderId: { __rl: true, value: 'root' } }],
  ])('%s %d runs with %j', (type, version, parameters) => {
    const node = { type: `n8n-nodes-base.${type}`, version, parameters };
    expect(unserved(node)).toBeUndefined();
  });

  it.each([
    ['googleSheets', {}, 'no documentId'],
    ['googleSheets', { ...sheet, operation: 'sort' }, 'the operation sheet/sort'],
    ['googleSheets', { ...sheet, operation: '={{ 1 }}' }, 'operation computed for each item'],
    ['googleSheets', { ...sheet, options: { new: 1 } }, 'the setting options.new'],
    ['gmail', { message: 'Hi' }, 'no sendTo'],
    ['gmail', { ...mail, options: { attachmentsUi: {}, delay: 1 } }, 'the setting options.delay'],
    ['googleCalendar', { ...calendar, start: 's' }, 'no end'],
    [
      'googleCalendar',
      { ...calendar, start: 's', end: 'e', additionalFields: { repeatFrecuency: 'Daily' } },
      'the setting additionalFields.repeatFrecuency',
    ],
    ['googleDocs', text({ object: 'table' }), 'object = table in actionsUi.actionFields'],
    ['googleDrive', { operation: 'download' }, 'no fileId'],
    [
      'googleDrive',
      { operation: 'update', fileId: 'f', changeFileContent: true },
      'changeFileContent = true',
    ],
  ])('%s with %j lacks something: %s', (type, parameters, words) => {
    const node = { type: `n8n-nodes-base.${type}`, version: 4, parameters };
    expect(unserved(node)).toBe(words);
  });
});
