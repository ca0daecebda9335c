// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { trustRequestStore } from '../../workbench/trust-request.ts';
import { WriteFunction } from './write-function.tsx';

freshWindows();

const AT = '/studio/api/projects/default/functions';
const TRUST = '/studio/api/projects/default/trust';
const DRAFT = { path: 'desk.yaml', revision: '1'.repeat(64) };
const PART = { kind: 'function', name: 'send_sms' } as const;

test('it writes the function of its gap and asks whether code of the folder may run', async () => {
  const files = ['functions/send_sms.ts', 'functions/send_sms.test.ts'];
  const made = { implementation: 'send_sms.run', files, draft: DRAFT };
  peer.answer('POST', AT, 201, made);
  peer.answer('GET', TRUST, 200, { state: 'untrusted', by: null, folder: '/home/ada/desk' });
  peer.answer('GET', '/studio/api/projects/default/drafts/desk.yaml', 200, {
    ...{ ref: 'desk.yaml', text: 'a: 1', revision: DRAFT.revision },
  });
  const user = mounted(<WriteFunction projectId="default" gapId="g1" draft={DRAFT} part={PART} />);
  await user.click(screen.getByTestId('write-function'));
  await waitFor(() => expect(trustRequestStore.get()).toBe('default'));
  expect(peer.writes[0]?.body).toEqual({ draft: DRAFT, ...PART });
});

test('where nothing waits for code there is no way to write some', () => {
  mounted(<WriteFunction projectId="default" gapId="g2" draft={DRAFT} part={undefined} />);
  expect(screen.queryByTestId('write-function')).toBeNull();
  expect(screen.queryByTestId('written-function')).toBeNull();
});
