import { afterEach, expect, test } from 'vitest';
import { speak } from '../../preload/texts/language.ts';
import { drawn } from '../../test/support/drawn.ts';
import { type ApiError, apiErrorFrom, toApiError } from '../data/api-error.ts';
import { CapabilityFindings } from './capability-findings.tsx';
import { ErrorState } from './error-state.tsx';

afterEach(() => speak('en', {}, 'en-US'));

const refused = (body: unknown) => apiErrorFrom(409, new Headers(), body);
const shown = (error: ApiError) => drawn(<ErrorState title="Nicht gestartet" error={error} />);

test('what a service says of a failure is marked as English, in either envelope', () => {
  const marked = '<span lang="en">The queue is full.</span>';
  const ours = refused({ code: 'queue_full', message: 'The queue is full.' });
  const theirs = refused({ detail: { error: 'queue_full', message: 'The queue is full.' } });
  expect(shown(ours).html).toContain(marked);
  expect(shown(theirs).html).toContain(marked);
});

test('what the window itself says of a failure is in its own language', () => {
  const words = { 'The service answered with status {status}.': 'Der Dienst sagte {status}.' };
  speak('de', words, 'de');
  const silent = shown(refused({}));
  expect(silent.text).toContain('Der Dienst sagte 409.');
  expect(silent.tags('lang="en"')).toEqual([]);
  expect(shown(toApiError(new Error('Nein'))).tags('lang="en"')).toEqual([]);
});

test('reasons of findings are marked', () => {
  const finding = { path: 'agent.tools', capability: 'shell', reason: 'It is not registered.' };
  const error = refused({
    ...{ code: 'spec_capability_refused', message: 'Refused.' },
    details: { capability_policy: 'strict', findings: [finding] },
  });
  expect(drawn(<CapabilityFindings error={error} />).html).toContain(
    '<span lang="en">It is not registered.</span>',
  );
});
