import { expect, type Locator, type Page } from '@playwright/test';
import { startRunAt } from './alone.ts';
import { fixtureSpec } from './runs.ts';
import type { Alone } from './serve-one.ts';

const SESSION = 'desk-42';

/** What the pages of operators show in these tests. */
export interface Filled {
  readonly failed: string;
  readonly asking: string;
  readonly task: string;
}

async function taskOf({ url, key }: Alone, run: string): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(async () => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${url}/v1/human-tasks`, { headers });
      const tasks: readonly { run_id: string; continuation_id: string }[] = (await answer.json())
        .tasks;
      found = tasks.find(({ run_id }) => run_id === run)?.continuation_id;
      return found;
    })
    .toBeDefined();
  return found ?? '';
}

/** A run that failed and one that asks, of one session. */
export async function fillPlatform(platform: Alone): Promise<Filled> {
  const more = { session_id: SESSION };
  const failing = fixtureSpec('failing-import.yaml');
  const failed = await startRunAt(platform, failing, 'three files', more);
  const spec = fixtureSpec('invoice-approval.yaml');
  const asking = await startRunAt(platform, spec, 'invoice R-118', more);
  return { failed, asking, task: await taskOf(platform, asking) };
}

/** An address of each page where operators work; the router's list says whether one is missing. */
export function addressesOf({ failed, asking, task }: Filled): Readonly<Record<string, string>> {
  return {
    '/operate': '/operate',
    '/operate/failures': '/operate/failures',
    '/operate/spend': '/operate/spend',
    '/operate/launch': '/operate/launch',
    '/operate/policies': '/operate/policies?environment=staging',
    '/operate/audit': '/operate/audit',
    '/operate/health': '/operate/health',
    '/operate/webhooks': '/operate/webhooks',
    '/operate/credentials': '/operate/credentials',
    '/operate/administration': '/operate/administration',
    '/runs': '/runs',
    '/runs/$runId': `/runs/${failed}`,
    '/sessions/$sessionId': `/sessions/${SESSION}`,
    '/compare': `/compare?a=${failed}&b=${asking}`,
    '/fix': `/fix?runs=${failed}`,
    '/tasks': '/tasks',
    '/tasks/$taskId': `/tasks/${task}`,
    '/settings': '/settings',
    '/sign-in': '/sign-in',
  };
}

/** Opens an address anew and waits until it shows what it has. */
export async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator('main h1').first(), address).toBeVisible();
  await expect(page.getByTestId('skeleton'), address).toHaveCount(0);
  // A spec that cannot be built is what the page of a fix has to tell.
  if (!address.includes('/fix?')) {
    await expect(page.getByTestId('error-state'), address).toHaveCount(0);
  }
}

/** A control that only a role with the capability may use. */
interface Gate {
  readonly page: string;
  readonly needs: string;
  /** What opens the part where the control stands. */
  open?(page: Page): Promise<void>;
  control(page: Page): Locator;
  /** Stands in place of the control, with the reason, for who may not use it. */
  readonly shut?: string;
}

const byId = (id: string) => (page: Page) => page.getByTestId(id);

/** What each capability opens on screen (dashboard.md 6). */
export const GATES: readonly Gate[] = [
  { page: '/operate/launch', needs: 'launch', control: byId('launch-text'), shut: 'launch-shut' },
  { page: '/fix', needs: 'launch', control: byId('fix-text'), shut: 'fix-shut' },
  { page: '/runs/$runId', needs: 'launch', control: byId('fix-run') },
  { page: '/operate/failures', needs: 'launch', control: byId('failure-fix') },
  { page: '/operate/audit', needs: 'audit.read', control: byId('audit-tab'), shut: 'audit-shut' },
  {
    page: '/operate/credentials',
    needs: 'credentials.read',
    control: byId('credential-coverage'),
    shut: 'credentials-shut',
  },
  { page: '/operate/policies', needs: 'policy.write', control: byId('policy-name') },
  {
    page: '/operate/policies',
    needs: 'policy.write',
    control: (page) => page.getByRole('switch', { name: 'Guardrails are required' }),
  },
  { page: '/operate/spend', needs: 'settings.write', control: byId('price-value') },
  { page: '/operate/webhooks', needs: 'settings.write', control: byId('webhook-add') },
  { page: '/operate/administration', needs: 'settings.write', control: byId('connection-add') },
  {
    page: '/operate/administration',
    needs: 'settings.write',
    control: (page) => page.getByLabel('viewer: Write notes on runs'),
  },
  { page: '/operate/administration', needs: 'settings.write', control: byId('grant-viewer') },
  { page: '/operate/failures', needs: 'run.control', control: byId('failure-again') },
  { page: '/operate/failures', needs: 'annotate', control: byId('failure-deal') },
  { page: '/runs/$runId', needs: 'run.control', control: byId('rerun') },
  { page: '/tasks/$taskId', needs: 'run.control', control: byId('decide-approved') },
  {
    page: '/runs',
    needs: 'filter.write',
    open: (page) => page.getByTestId('saved-filters').click(),
    control: byId('save-filter'),
  },
];

/** Holds one page against what a role may do: what it may is open, what not is shut with the reason. */
export async function expectGates(
  page: Page,
  pattern: string,
  role: string,
  may: readonly string[],
): Promise<void> {
  for (const { needs, open, control, shut } of GATES.filter((gate) => gate.page === pattern)) {
    await open?.(page);
    const about = `${role} at ${pattern}: ${needs}`;
    const reason = `Your role (${role}) does not include ${needs}.`;
    if (may.includes(needs)) {
      await expect(control(page).first(), about).toBeEnabled();
      continue;
    }
    if (shut !== undefined) {
      await expect(page.getByTestId(shut), about).toContainText(reason);
      await expect(control(page), about).toHaveCount(0);
      continue;
    }
    await expect(control(page).first(), about).toBeDisabled();
    const told = page.getByText(reason).or(page.getByTitle(reason)).or(page.getByLabel(reason));
    await expect(told.first(), about).toBeAttached();
  }
}
