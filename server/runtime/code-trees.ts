import path from 'node:path';
import { openTrustedProjects } from './trusted-projects.ts';

/** Where the code of a run is looked for. */
export interface CodeTree {
  /** The folder that holds `functions/`. */
  readonly root: string;
  readonly trusted: boolean;
}

/** What says where code is; plain data, so that it goes to threads. */
export interface CodeTreesSetting {
  /** The tree of runs that belong to no project. */
  readonly specRoot: string;
  readonly trusted: boolean;
  /** Where the studio's projects are; undefined for a platform without one. */
  readonly projects?:
    | {
        /** Answers of the trust question. */
        readonly trustFile: string;
        /** The tree of project `default`. */
        readonly defaultRoot: string;
        /** Parent of the others, each under its id. */
        readonly base: string;
      }
    | undefined;
}

/** The tree of a project by its id; null or an unknown id is a run that belongs to none. */
export interface CodeTrees {
  find(projectId: string | null): CodeTree;
}

const PROJECT_ID = /^[A-Za-z0-9_-]{1,128}$/;
const DEFAULT_PROJECT = 'default';

/** Finds the tree whose code a run may use (decisions 8): its own project's and no other's. */
export function createCodeTrees({ specRoot, trusted, projects }: CodeTreesSetting): CodeTrees {
  if (projects === undefined) return { find: () => ({ root: specRoot, trusted }) };
  const answers = openTrustedProjects(projects.trustFile);
  const ofDefault = (): CodeTree => {
    const answered = answers.folderOf(DEFAULT_PROJECT);
    return { root: answered ?? projects.defaultRoot, trusted: trusted || answered !== undefined };
  };
  return {
    find(projectId) {
      if (projectId === null || !PROJECT_ID.test(projectId)) {
        return specRoot === projects.defaultRoot ? ofDefault() : { root: specRoot, trusted };
      }
      if (projectId === DEFAULT_PROJECT) return ofDefault();
      const root = answers.folderOf(projectId);
      return root === undefined
        ? { root: path.join(projects.base, projectId), trusted: false }
        : { root, trusted: true };
    },
  };
}
