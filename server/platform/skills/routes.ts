import { listSkills } from '../../contract/platform/skills.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { PlatformDeps } from '../deps.ts';
import { pageItems } from '../lists/page-items.ts';
import type { Principal } from '../principal.ts';
import { skillCatalog } from './skill-catalog.ts';

/** GET /skills. */
export function registerSkillRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(listSkills, async ({ query }) => {
    const items = await skillCatalog(deps);
    const { page, facts } = pageItems(items, query, items.length);
    return { skills: page, ...facts };
  });
}
