import { readJson, writeJson } from '../desktop/local-store.ts';
import { paths, projectOf } from './paths.ts';

/** A place of the Author area that was open lately. */
export interface RecentEntry {
  readonly projectId: string;
  readonly projectName: string;
  readonly at: number;
}

const RECENT_KEY = 'recent-projects';
const LAST_KEY = 'last-author-path';
const MAX_RECENT = 12;

function isRecentList(value: unknown): value is RecentEntry[] {
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item === 'object' && item !== null && 'projectId' in item)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Projects opened in this window, latest first. */
export function recentProjects(): readonly RecentEntry[] {
  return readJson(RECENT_KEY, isRecentList, []);
}

/** Puts a project at the head of the recent ones. */
export function rememberProject(projectId: string, projectName: string): void {
  const rest = recentProjects().filter((entry) => entry.projectId !== projectId);
  writeJson(RECENT_KEY, [{ projectId, projectName, at: Date.now() }, ...rest].slice(0, MAX_RECENT));
}

/** Where the project used last was left; Welcome before any project was open. */
export function lastAuthorPath(): string {
  const left = readJson(LAST_KEY, isText, paths.welcome());
  const latest = recentProjects()[0];
  if (projectOf(left) !== undefined || latest === undefined) {
    return left;
  }
  return paths.project(latest.projectId);
}

/** Remembers where the Author place was left; Welcome belongs to no project and is not kept. */
export function rememberAuthorPath(path: string): void {
  if (projectOf(path) !== undefined) {
    writeJson(LAST_KEY, path);
  }
}

/** A draft that was open lately. */
export interface RecentDraft {
  readonly projectId: string;
  readonly ref: string;
  readonly at: number;
}

const DRAFTS_KEY = 'recent-drafts';
const MAX_DRAFTS = 8;

function isDraftList(value: unknown): value is RecentDraft[] {
  return (
    Array.isArray(value) &&
    value.every(
      (item) =>
        typeof item === 'object' &&
        item !== null &&
        typeof item.projectId === 'string' &&
        typeof item.ref === 'string',
    )
  );
}

/** Drafts opened in this window, latest first. */
export function recentDrafts(): readonly RecentDraft[] {
  return readJson(DRAFTS_KEY, isDraftList, []);
}

/** Puts a draft at the head of the recent ones. */
export function rememberDraft(projectId: string, ref: string): void {
  const rest = recentDrafts().filter((one) => one.projectId !== projectId || one.ref !== ref);
  writeJson(DRAFTS_KEY, [{ projectId, ref, at: Date.now() }, ...rest].slice(0, MAX_DRAFTS));
}
