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

const MAX_NAMES = 200;

/** The name, with the first number that makes it free among file names (`name-2`, …). */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(`${candidate}.yaml`) && number <= MAX_NAMES; number += 1) {
    candidate = `${name}-${number}`;
  }
  return candidate;
}

/** Creates a draft, under the next free name when the name is taken. */
export async function addDraft(projectId: string, name: string, text: string): Promise<DraftBody> {
  const params = { project_id: projectId };
  const drafts = await call(listDrafts, { params });
  const taken = new Set(drafts.map(({ ref }) => ref.slice(ref.lastIndexOf('/') + 1)));
  for (let attempt = 1; ; attempt += 1) {
    const candidate = freeName(name, taken);
    try {
      const draft = await call(createDraft, {
        params,
        body: { name: candidate, kind: 'spec', text },
      });
      await queryClient.invalidateQueries({ queryKey: routePrefix(listDrafts) });
      return draft;
    } catch (error) {
      const exists = error instanceof ApiError && error.code === 'draft_exists';
      if (!exists || attempt >= MAX_NAMES) {
        throw error;
      }
      taken.add(`${candidate}.yaml`);
    }
  }
}
