// A team's installation in real containers: npm run test:containers. It needs root, docker or podman with a
// Compose, and some minutes, and is no part of `npm test`.
import { expect, type Page, test } from '@playwright/test';
import { buildImage, type ComposeStack, DOMAIN, layOut, OWN } from './support/compose-stack.ts';
import { type Engine, findEngine } from './support/container-engine.ts';
import { openChromium } from './support/headless.ts';
import { checkLooks } from './support/screens.ts';
import { atProvider, person } from './support/team.ts';

test.setTimeout(900_000);

const IMAGE = 'specwright-test/specwright';
const SPEC = `version: v1
agent: {name: desk}
workflow:
  name: parcels
  type: sequential
  steps:
    - {id: find, kind: agent, ref: finder}
    - {id: check, kind: human, ref: boss}
components:
  agents:
    finder:
      name: finder
      model: {provider: openai-compatible, name: m, extra: {base_url: "http://model:9000/v1"}}
  humans:
    boss: {description: May this be sent?, request_type: approval}
`;

function engineOr(skip: (isMissing: boolean, why: string) => void): Engine {
  skip(process.env['SPECWRIGHT_CONTAINERS'] === undefined, 'asked for by npm run test:containers');
  skip(process.getuid?.() !== 0, 'containers are made by root here');
  const engine = findEngine();
  skip(engine === undefined, 'neither docker nor podman answers here with a Compose');
  if (engine === undefined) throw new Error('skipped');
  return engine;
}

async function becomeHealthy(stack: ComposeStack): Promise<void> {
  for (const service of OWN) {
    await expect.poll(() => stack.isHealthy(service), { timeout: 120_000 }).toBe(true);
  }
  const realm = '/realms/specwright/.well-known/openid-configuration';
  const provider = () =>
    stack.ask('id', realm).then(
      ({ status }) => status,
      // The proxy is not there yet.
      (error: unknown) => String(error),
    );
  await expect.poll(provider, { timeout: 180_000 }).toBe(200);
}

/** Makes a person at Keycloak, as its console does, who may do everything. */
async function makePerson(stack: ComposeStack): Promise<void> {
  const form = new URLSearchParams({
    ...{ grant_type: 'password', client_id: 'admin-cli', username: 'admin' },
    password: stack.values['PROVIDER_ADMIN_PASSWORD'] ?? '',
  });
  const json = async (where: string, options: Parameters<ComposeStack['ask']>[2]) => {
    const { status, text } = await stack.ask('id', where, options);
    expect(status, `${where}: ${text}`).toBeLessThan(300);
    return text === '' ? undefined : JSON.parse(text);
  };
  const { access_token } = await json('/realms/master/protocol/openid-connect/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const users = '/admin/realms/specwright/users';
  const body = JSON.stringify({
    ...{ username: 'ada', enabled: true, email: 'ada@example.com', emailVerified: true },
    ...{ firstName: 'Ada', lastName: 'L' },
    credentials: [{ type: 'password', value: 'any', temporary: false }],
  });
  await json(users, { headers, body });
  const [ada] = await json(`${users}?username=ada`, { headers });
  const role = await json('/admin/realms/specwright/roles/operations-admin', { headers });
  const mapping = `${users}/${ada.id}/role-mappings/realm`;
  await json(mapping, { headers, body: JSON.stringify([role]) });
}

async function signIn(page: Page, stack: ComposeStack, service: string): Promise<void> {
  await page.getByTestId(`provider-${service}`).click();
  if (!stack.hasKeycloak) return atProvider(page, 'ada');
  await page.locator('#username').fill('ada');
  await page.locator('#password').fill('any');
  await page.locator('#kc-login').click();
}

test('the image holds the program, and runs it as nobody special', () => {
  const engine = engineOr(test.skip);
  buildImage(engine, IMAGE);
  expect(engine.run('run', '--rm', IMAGE, '--version')).toMatch(/\d+\.\d+\.\d+/);
  expect(engine.run('run', '--rm', '--entrypoint', 'id', IMAGE, '-u').trim()).toBe('10001');
  expect(() => engine.run('run', '--rm', IMAGE)).toThrow(/DASH_DEV_MODE/);
});

test('a team signs in, a worker is killed in the middle of a run, and the run ends', async () => {
  const engine = engineOr(test.skip);
  buildImage(engine, IMAGE);
  const stack = await layOut(engine, IMAGE);
  const browser = await openChromium(`MAP *.${DOMAIN} 127.0.0.1:${stack.port}`);
  try {
    stack.compose('up', '-d');
    await becomeHealthy(stack);
    expect(() => engine.run('exec', stack.container('api'), 'touch', '/app/x')).toThrow(
      /[Rr]ead-only/,
    );
    if (stack.hasKeycloak) await makePerson(stack);

    const ada = await person(browser);
    await ada.goto(`https://dashboard.${DOMAIN}/operate/launch`);
    await signIn(ada, stack, 'dashboard');
    await ada.getByTestId('launch-text').fill(SPEC);
    await ada.getByTestId('launch-check').click();
    await expect(ada.getByTestId('launch-verdict')).toContainText('It may run');
    await ada.getByTestId('launch-input').fill('Where is my parcel?');
    await ada.getByTestId('launch-run-submit').click();
    await expect(ada.getByTestId('run-page')).toBeVisible();

    await expect.poll(() => stack.asking()).toBeDefined();
    const killed = stack.asking() ?? '';
    engine.run('kill', stack.container(killed));
    await expect(ada.getByTestId('taken-over')).toBeVisible({ timeout: 120_000 });
    expect(stack.asking()).not.toBe(killed);
    await checkLooks(ada, 'containers-taken-over');
    stack.letAnswer();
    await ada.getByTestId('decide-approved').click({ timeout: 60_000 });
    const status = ada.getByTestId('run-status');
    await expect(status).toHaveAttribute('data-status', 'completed', { timeout: 60_000 });
    await expect(ada.getByTestId('run-output')).toContainText('comes on Tuesday');

    // Who was killed comes back beside the files of its last life.
    stack.compose('up', '-d');
    await becomeHealthy(stack);

    await ada.goto(`https://studio.${DOMAIN}`);
    await ada.getByTestId('provider-studio').click();
    // Keycloak knows her already; what stands in for it asks for each service.
    if (!stack.hasKeycloak) await ada.getByRole('button', { name: /continue/i }).click();
    await expect(ada.getByTestId('sign-in-fault')).toContainText('You are known, but not let in');

    stack.compose('stop');
    for (const service of OWN) {
      const code = engine.run('inspect', '-f', '{{.State.ExitCode}}', stack.container(service));
      expect([service, code.trim()]).toEqual([service, '0']);
    }
    stack.compose('up', '-d');
    await becomeHealthy(stack);
    await ada.goto(`https://dashboard.${DOMAIN}/runs`);
    await expect(ada.locator('[data-status="completed"]')).toHaveCount(1);
  } finally {
    await browser.close();
    stack.remove();
  }
});
