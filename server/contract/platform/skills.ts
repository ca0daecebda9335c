import { z } from 'zod';
import { platformRoute } from '../route.ts';
import { listFacts, listQuery } from './lists.ts';

export const skillItem = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    path: z.string(),
    origin: z.enum(['default', 'declared']),
  })
  .meta({ id: 'Skill' });

export type SkillItem = z.output<typeof skillItem>;

export const listSkills = platformRoute.get('listSkills', {
  path: '/skills',
  summary: 'Skills of the default folders and those that specs under the root declare',
  query: z.strictObject(listQuery('name', 'asc')),
  responses: {
    200: z.object({ skills: z.array(skillItem), ...listFacts }).meta({ id: 'SkillList' }),
  },
  access: 'specs:read',
});
