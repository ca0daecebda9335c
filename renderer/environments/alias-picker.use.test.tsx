// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SpecNeeds } from '../../server/contract/studio/bindings.ts';
import {
  type BindingView,
  listBindings,
  type PreflightPolicyView,
} from '../../server/contract/studio/environments.ts';
import { freshWindows, mounted } from '../../test/support/mounted.ts';
import { routeKey } from '../data/query-client.ts';
import { AliasPicker } from './alias-picker.tsx';
import { chosenOf } from './chosen-alias.ts';
import { PreflightView } from './preflight-view.tsx';

freshWindows();

const binding = (alias: string, platform_environment: string): BindingView => ({
  ...{ alias, platform_environment, generation: 1, transport: 'remote' },
  ...{ platform_egress: 'unenforced', capability_policy: 'strict', profile_state: 'available' },
});
const both = [binding('default', 'dev'), binding('team', 'staging')];

function shown(projectId: string, bindings: readonly BindingView[]) {
  const key = routeKey(listBindings, { params: { project_id: projectId } });
  return mounted(<AliasPicker projectId={projectId} label="On" />, [[key, bindings]]);
}

test('one alias is told; among several one is chosen, and remembered while it is bound', async () => {
  shown('alone', both.slice(0, 1));
  expect((await screen.findByTestId('alias')).textContent).toBe('On default · dev');
  expect(screen.queryByTestId('alias-picker')).toBeNull();

  const user = shown('several', both);
  const picker = await screen.findByTestId<HTMLInputElement>('alias-picker');
  expect(picker.value).toBe('default · dev');
  await user.click(picker);
  await user.click(await screen.findByRole('option', { name: 'team · staging' }));
  expect(picker.value).toBe('team · staging');
  expect(chosenOf('several', both)?.alias).toBe('team');
  expect(chosenOf('several', both.slice(0, 1))?.alias).toBe('default');
  expect(chosenOf('several', [])).toBeUndefined();
});

test('a preflight without its profile says so and leads to the alias', () => {
  const head: Omit<PreflightPolicyView, 'policy'> = {
    ...{ alias: 'team', alias_generation: 2, platform_environment: 'staging' },
    ...{ state: 'unavailable', unavailable_reason: 'Profile team is not in the profiles file.' },
  };
  const needs: SpecNeeds = { providers: ['openai'], secrets: [] };
  const preflight = {
    ...{ policy: { ...head, policy: null }, credentials: { ...head, credentials: null }, needs },
  };
  mounted(<PreflightView projectId="p" preflight={preflight} />);
  const note = screen.getByTestId('preflight-unavailable');
  expect(note.textContent).toContain('not in the profiles file');
  expect(note.querySelector('a')?.getAttribute('href')).toContain('alias=team&open=next');
  expect(screen.getByTestId('need-openai').dataset['state']).toBe('unknown');
});
