// What a policy refuses, in words beside its code.
import { expect, test } from '@playwright/test';
import { paths } from '../../renderer/app/paths.ts';
import { ask } from './support/ask.ts';
import { checkLooks } from './support/screens.ts';
import { openStillWindow } from './support/still-window.ts';

const SPEC = 'version: v1\nagent:\n  name: desk\n  system_prompt: Answer letters.\n';

test('a refusal of a policy stands in words beside its code (OD-085, OD-103)', async () => {
  const { folder, desktop, page } = await openStillWindow();
  await ask(desktop, 'PUT', '/dashboard/api/policies/dev', {
    enabled: true,
    require_guardrails: true,
    blocked_diagnostic_codes: ['W_TOOL_SHELL_ALLOWED'],
  });
  await page.evaluate((to) => {
    window.location.hash = to;
  }, paths.launch());
  await page.getByTestId('launch-text').fill(SPEC);
  await page.getByTestId('launch-environment').fill('dev');
  await page.keyboard.press('Escape');
  await page.getByTestId('launch-check').click();
  await expect(page.getByTestId('launch-finding').first()).toContainText('wants a guardrail');
  await checkLooks(desktop, 'policy-words-launch');

  await page.evaluate((to) => {
    window.location.hash = to;
  }, paths.policies('dev'));
  await expect(page.getByTestId('policy-code-words')).toContainText('commands of the system');
  await checkLooks(desktop, 'policy-words-policies');
  await desktop.close();
  folder.remove();
});
