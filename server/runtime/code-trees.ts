import path from 'node:path';
import { placeOfProject } from './project-places.ts';
import { openTrustedFolders } from './trusted-folders.ts';

/** Where the code of a run is looked for. */
export interface CodeTree {
  /** The folder that holds `functions/`, and that programs start in. */
  readonly root: string;
  /** Its functions and programs may run, and its specs may read variables of the environment. */
  readonly trusted: boolean;
  /** A folder of packages (`node_modules`) that its functions may import beside their own. */
  readonly packages?: string | undefined;
}

/** What says where code is; plain data, so that it goes to threads. */
export interface CodeTreesSetting {
  /** The tree of runs that belong to no project. */
  readonly specRoot: string;
  /** The tree of the start is trusted for as long as this process lasts. */
  readonly trusted: boolean;
  /** What a person trusts, and where the studio's projects are; undefined for a platform without. */
  readonly projects?:
    | {
        /** The list of trusted folders. */
        readonly trustFile: string;
        /** Where the studio notes the folders of its projects. */
        readonly placesFile: string;
        /** The tree of project `default` in the same start. */
        readonly defaultRoot?: string | undefined;
        /** Parent of the projects that the studio made, each under its id. */
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
  const { defaultRoot, base, placesFile } = projects;
  const folders = openTrustedFolders(projects.trustFile);
  const rootOf = (projectId: string): string =>
    (projectId === DEFAULT_PROJECT ? defaultRoot : undefined) ??
    placeOfProject(placesFile, projectId) ??
    path.join(base, projectId);
  return {
    find(projectId) {
      const own = projectId !== null && PROJECT_ID.test(projectId);
      const root = own ? rootOf(projectId) : specRoot;
      const ofStart = trusted && (root === specRoot || root === defaultRoot);
      return { root, trusted: ofStart || folders.has(root) };
    },
  };
}
