import { expect, test } from '@playwright/test';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { studioProviderFile, writePrivate } from '../support/team-server.ts';
import { openChromium } from './support/headless.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { checkLooks } from './support/screens.ts';
import { serveAlone } from './support/serve-one.ts';
import { atProvider, freePort, hostWord, person } from './support/team.ts';

test('an author signs in at the studio by itself, waits, and is told so (AS-001)', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const callback = `${origin}/api/session/oidc/callback`;
  const idp = await startIdentityProvider(callback, [{ id: 'ada', claims: {} }]);
  const folder = scratchFolder();
  const file = writePrivate(
    `${folder.path}/provider.json`,
    studioProviderFile(idp.issuer, origin, {
      callback_origin: origin,
      redirect_allowlist: [callback],
      admission: { mode: 'provision' },
    }),
  );
  const studio = await serveAlone(folder.path, ['studio', 'serve'], {
    port,
    env: { STUDIO_AUTH_MODE: 'oidc', STUDIO_OIDC_PROVIDER_FILE: file },
  });
  const browser = await openChromium();
  const ada = await person(browser);
  await ada.goto(studio.url);
  await ada.getByTestId('provider-studio').click();
  await atProvider(ada, 'ada');
  await expect(ada.getByTestId('sign-in-fault')).toContainText('You are known, but not let in');
  await checkLooks(ada, 'studio-alone-oidc-waits');

  hostWord(folder.path, 'oidc', 'studio', 'principal', 'approve', '--subject', 'ada');
  await ada.getByTestId('provider-studio').click();
  await expect(ada.getByTestId('welcome')).toBeVisible();
  await expect(ada).toHaveURL(`${studio.url}/`);
  // No project is hers yet: what would need one cannot be chosen.
  await expect(ada.getByTestId('no-project')).toBeVisible();
  for (const name of ['import-workflow', 'sample-import', 'example-invoice-review', 'new-draft'])
    await expect(ada.getByTestId(name)).toBeDisabled();
  await checkLooks(ada, 'studio-alone-oidc-no-project');

  await browser.close();
  await studio.stop();
  await idp.close();
  folder.remove();
});
