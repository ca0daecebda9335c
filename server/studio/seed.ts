import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { StartRefusal } from '../kernel/start-refusal.ts';
import type { StudioDeps } from './deps.ts';
import { bindDefaultProject } from './environments/template.ts';
import { liesInside } from './projects/create-project.ts';
import { findProject, insertProject } from './projects/projects-repository.ts';
import { LOCAL_OWNER, OPERATOR } from './session/known-principals.ts';
import { seedPrincipal } from './session/principals-repository.ts';
import { followTrust } from './trust/follow-trust.ts';

const DEFAULT_PROJECT = 'default';
const ISSUER = 'studio:host';

/** The two principals that every studio has. */
export async function seedPrincipals(deps: Pick<StudioDeps, 'db' | 'timestamp'>): Promise<void> {
  const created_at = deps.timestamp();
  const common = { issuer: ISSUER, state: 'active', created_at } as const;
  await seedPrincipal(deps.db, {
    ...common,
    id: LOCAL_OWNER,
    kind: 'local_owner',
    subject: LOCAL_OWNER,
    display_name: 'Local owner',
  });
  await seedPrincipal(deps.db, {
    ...common,
    id: OPERATOR,
    kind: 'operator',
    subject: OPERATOR,
    display_name: 'Operator',
  });
}

async function requireSameRoot(stored: string, named: string): Promise<void> {
  const real = await realpath(stored).catch(() => stored);
  if (real === named) return;
  throw new StartRefusal(
    'The project "default" of this data folder belongs to another project folder. ' +
      'Name that folder, or use another data folder.',
  );
}

/**
 * Seeds the principals and project `default` at first start (studio.md 4.1). Later starts must name
 * the same tree, or none.
 * @throws StartRefusal when the tree is another one, or when the state lies inside it.
 */
export async function seed(deps: StudioDeps, projectRoot: string | undefined): Promise<void> {
  await seedPrincipals(deps);
  const known = await findProject(deps.db, DEFAULT_PROJECT);
  if (known === undefined || projectRoot !== undefined) {
    const wanted = path.resolve(projectRoot ?? process.cwd());
    await mkdir(wanted, { recursive: true });
    const root = await realpath(wanted);
    if (known === undefined) await attachDefault(deps, root);
    else await requireSameRoot(known.root, root);
  }
  const project = await findProject(deps.db, DEFAULT_PROJECT);
  if (project !== undefined) await bindDefaultProject(deps, deps.db, project);
  await followTrust(deps, deps.db);
}

async function attachDefault(deps: StudioDeps, root: string): Promise<void> {
  const state = await realpath(deps.stateDir);
  if (liesInside(state, root)) {
    throw new StartRefusal(
      'The data folder lies inside the project folder. Name another data folder, or a project below it.',
    );
  }
  await insertProject(deps.db, {
    id: DEFAULT_PROJECT,
    name: path.basename(root) || DEFAULT_PROJECT,
    root,
    storage_kind: 'attached',
    quota_principal_id: LOCAL_OWNER,
    created_at: deps.timestamp(),
  });
}
