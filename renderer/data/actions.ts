import {
  createDraft,
  type DraftBody,
  type DraftKind,
  listDrafts,
  moveDraft,
  registerDraft,
} from '../../server/contract/studio/drafts.ts';
import { getExposure } from '../../server/contract/studio/exposure.ts';
import { createProject } from '../../server/contract/studio/projects.ts';
import { getMe, type Project } from '../../server/contract/studio/session.ts';
import { fileStemOfTitle } from '../../server/kernel/file-stem.ts';
import { call } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { queryClient, routePrefix } from './query-client.ts';
import { invalidateAuthoring } from './studio.ts';

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

/** The names that drafts of a project have, as file names. */
export function takenNames(drafts: readonly { readonly ref: string }[]): Set<string> {
  return new Set(drafts.map(({ ref }) => ref.slice(ref.lastIndexOf('/') + 1)));
}

/** The file name, without its end, that a draft gets from what somebody typed. */
export function draftStem(title: string): string {
  return fileStemOfTitle(title) ?? 'draft';
}

/** Creates a draft named after a title, under the next free name when that is taken. */
export async function addDraft(
  projectId: string,
  title: string,
  text: string,
  kind: DraftKind = 'spec',
): Promise<DraftBody> {
  const params = { project_id: projectId };
  const name = draftStem(title);
  const taken = takenNames(await call(listDrafts, { params }));
  for (let attempt = 1; ; attempt += 1) {
    const candidate = freeName(name, taken);
    try {
      const draft = await call(createDraft, {
        params,
        body: { name: candidate, kind, text },
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

/** What the project exposes now, as a registration has to name it. @throws ApiError */
export async function exposureDigest(projectId: string): Promise<string> {
  const seen = await call(getExposure, { params: { project_id: projectId } });
  return seen.exposure_digest;
}

/** Makes a file of the project a draft of that kind that can be edited. @throws ApiError */
export async function registerFile(projectId: string, ref: string, kind: DraftKind): Promise<void> {
  const exposure_digest = await exposureDigest(projectId);
  await call(registerDraft, {
    params: { project_id: projectId },
    body: { path: ref, kind, capabilities: 'read_write', exposure_digest },
  });
  await invalidateAuthoring();
}

/** Moves a draft to another path of the tree, its analyses with it; answers its new ref. */
export async function renameDraft(
  projectId: string,
  oldRef: string,
  newRef: string,
  expectedRevision: string,
): Promise<string> {
  const moved = await call(moveDraft, {
    params: { project_id: projectId },
    body: { old_ref: oldRef, new_ref: newRef, expected_revision: expectedRevision },
  });
  await invalidateAuthoring();
  return moved.new_ref;
}
