import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { boundedText, ProjectParams } from './fields.ts';
import { Project } from './session.ts';

const CreateProjectRequest = z
  .strictObject({ name: boundedText(1, 255) })
  .meta({ id: 'CreateProjectRequest' });

export const ProjectLimits = z
  .strictObject({
    taint_used: z.int(),
    taint_cap: z.int(),
    principal_taint_used: z.int(),
    principal_taint_cap: z.int(),
    retained_used: z.int(),
    retained_max: z.int(),
    nearest_cap: z.enum(['project', 'principal']),
  })
  .meta({ id: 'ProjectLimits' });
export type ProjectLimits = z.infer<typeof ProjectLimits>;

export const listProjects = studioRoute.get('list_projects', {
  path: '/projects',
  summary: 'Projects of the caller, oldest first',
  responses: { 200: z.array(Project) },
  errors: ['unauthenticated', 'no_active_principal'],
  access: 'session',
});

export const createProject = studioRoute.post('create_project', {
  path: '/projects',
  summary: 'Create a project by name; the server picks its folder',
  body: CreateProjectRequest,
  responses: { 201: Project },
  errors: ['project_creation_disabled', 'project_limit_reached', 'project_root_overlap'],
  access: 'session',
  meta: { audit: 'create_project' },
});

export const getProject = studioRoute.get('get_project', {
  path: '/projects/{project_id}',
  summary: 'One project',
  params: ProjectParams,
  responses: { 200: Project },
  access: 'viewer',
});

export const getProjectLimits = studioRoute.get('get_project_limits', {
  path: '/projects/{project_id}/limits',
  summary: 'How many analyses are live and kept, and how many may be',
  params: ProjectParams,
  responses: { 200: ProjectLimits },
  access: 'viewer',
});
