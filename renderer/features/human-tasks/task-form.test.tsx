import { expect, test } from 'vitest';
import type { HumanTaskDetail } from '../../../server/contract/dashboard/human-tasks.ts';
import { getMe } from '../../../server/contract/dashboard/session.ts';
import { drawn } from '../../../test/support/drawn.ts';
import { PENDING_TASK } from '../../../test/support/human-task.ts';
import { routeQuery } from '../../data/query-client.ts';
import { TaskForm } from './task-form.tsx';

function form(task: Partial<HumanTaskDetail>, capabilities = ['run.control']) {
  const me = { identity: 'i', role: 'viewer', capabilities, environments: null };
  const page = drawn(<TaskForm task={{ ...PENDING_TASK, ...task }} subject="flow" low={false} />, [
    [routeQuery(getMe).queryKey, { ...me, auth_mode: 'static' }],
  ]);
  const buttons = page.tags('data-testid="decide-').map((tag) => {
    const [, decision] = /decide-(\w+)/.exec(tag) ?? [];
    return `${decision}${/\sdisabled/.test(tag) ? ' (off)' : ''}`;
  });
  return { page, buttons };
}

test('an approval can be given or refused at once; an edit wants a text first', () => {
  const { page, buttons } = form({});
  expect(buttons).toEqual(['approved', 'rejected', 'edited (off)']);
  expect(page.text).toContain('Write your text first.');
});

test('a correction begins with the text that waits, and can be sent as it stands', () => {
  const { page, buttons } = form({ request_type: 'correction' });
  expect(buttons).toEqual(['edited', 'rejected']);
  expect(page.html).toMatch(/<textarea[^>]*>the letter<\/textarea>/);
});

test('a selection wants an option; its default is marked and chosen', () => {
  const options = { request_type: 'selection', options: ['left', 'right'] };
  expect(form(options).buttons).toEqual(['selected (off)', 'rejected']);
  expect(form(options).page.text).toContain('Choose an option first.');
  const { page, buttons } = form({ ...options, default_option: 'right' });
  expect(buttons).toEqual(['selected', 'rejected']);
  expect(page.text).toContain('right (default)');
  expect(page.tags('checked=""').map((tag) => /value="(\w+)"/.exec(tag)?.[1])).toEqual(['right']);
});

test('options of any other request can be chosen too', () => {
  const { buttons } = form({ request_type: 'freeform', options: ['a'], default_option: 'a' });
  expect(buttons).toEqual(['provided (off)', 'rejected', 'selected']);
});

test('who may not decide sees why, and every decision is off', () => {
  const { page, buttons } = form({}, []);
  expect(buttons).toEqual(['approved (off)', 'rejected (off)', 'edited (off)']);
  expect(page.text).toContain('Your role (viewer) does not include run.control.');
});
