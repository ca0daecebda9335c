// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { PreflightPolicyView } from '../../server/contract/studio/environments.ts';
import { freshWindows, mounted } from '../../test/support/mounted.ts';
import type { Preflight } from './preflight-view.tsx';
import { RunNeeds } from './run-needs.tsx';

freshWindows();

const entry = (env_var: string, present: boolean, usable: boolean) => ({
  env_var,
  present,
  usable,
});

function flight(state: PreflightPolicyView['state'], present: boolean): Preflight {
  const head: Omit<PreflightPolicyView, 'policy'> = {
    ...{ alias: 'team', alias_generation: 2, platform_environment: 'staging', state },
    unavailable_reason: state === 'available' ? null : 'Profile team is gone.',
  };
  const credentials = {
    providers: { openai: entry('OPENAI_API_KEY', present, true) },
    extra: { CRM_TOKEN: entry('CRM_TOKEN', true, present), MAIL: entry('MAIL', present, true) },
  };
  return {
    policy: { ...head, policy: null },
    credentials: { ...head, credentials },
    needs: { providers: ['openai'], secrets: ['CRM_TOKEN', 'MAIL'] },
  };
}

const shown = (preflight: Preflight | undefined, error?: unknown, onRetry = vi.fn()) => {
  const props = { projectId: 'p', alias: 'team', preflight, error, onRetry };
  return mounted(<RunNeeds {...props} />);
};

test('what the platform lacks is named with the way to each', () => {
  shown(flight('available', false));
  const box = screen.getByTestId('run-needs');
  expect(box.textContent).toContain('staging lacks what this run asks for');
  expect(screen.getByTestId('lacks-openai').textContent).toContain('set OPENAI_API_KEY where');
  expect(screen.getByTestId('lacks-CRM_TOKEN').textContent).toContain('SERV_SPEC_SECRETS');
  expect(screen.getByTestId('lacks-MAIL').textContent).toContain('what needs it fails');
  expect(screen.getAllByTestId('lack-settings')[0]?.getAttribute('href')).toContain('settings');
});

test('what is told elsewhere is not told twice', () => {
  const props = { projectId: 'p', alias: 'team', error: undefined, onRetry: vi.fn() };
  const except = ['CRM_TOKEN', 'MAIL', 'openai'];
  mounted(<RunNeeds {...props} preflight={flight('available', false)} except={except} />);
  expect(screen.queryByTestId('run-needs')).toBeNull();
});

test('nothing stands there while all is there, or is not known yet', () => {
  shown(flight('available', true));
  shown(undefined);
  expect(screen.queryByTestId('run-needs')).toBeNull();
});

test('a platform that cannot be used leads to the next generation of the alias', () => {
  shown(flight('unavailable', true));
  const box = screen.getByTestId('run-needs');
  expect(box.textContent).toContain('Profile team is gone.');
  expect(box.querySelector('a')?.getAttribute('href')).toContain('alias=team&open=next');
});
