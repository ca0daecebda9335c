import { createDraft, type DraftBody, listDrafts } from '../../server/contract/studio/drafts.ts';
import { createProject } from '../../server/contract/studio/projects.ts';
import { getMe, type Project } from '../../server/contract/studio/session.ts';
import { call } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { queryClient, routePrefix } from './query-client.ts';

/** Creates a project whose folder the studio picks. */
export async function addProject(name: string): Promise<Project> {
  const project = await call(createProject, { body: { name } });
  await queryClient.invalidateQueries({ queryKey: routePrefix(getMe) });
  return project;
}

const MAX_NAMES = 50;

/** Creates a draft, under the next free name (`name-2`, …) when the name is taken. */
export async function addDraft(projectId: string, name: string, text: string): Promise<DraftBody> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const draft = await call(createDraft, {
        params: { project_id: projectId },
        body: { name: attempt === 1 ? name : `${name}-${attempt}`, kind: 'spec', text },
      });
      await queryClient.invalidateQueries({ queryKey: routePrefix(listDrafts) });
      return draft;
    } catch (error) {
      const taken = error instanceof ApiError && error.code === 'draft_exists';
      if (!taken || attempt >= MAX_NAMES) {
        throw error;
      }
    }
  }
}
