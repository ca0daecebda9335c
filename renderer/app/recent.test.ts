import { beforeEach, describe, expect, it } from 'vitest';
import { localStore } from '../desktop/local-store.ts';
import { lastAuthorPath, rememberAuthorPath, rememberProject } from './recent.ts';

beforeEach(() => {
  for (const key of localStore.keys()) {
    localStore.remove(key);
  }
});

describe('where Author leads', () => {
  it('is Welcome until a project was open', () => {
    expect(lastAuthorPath()).toBe('/');
  });

  it('is the place left in a project, also after a look at Welcome', () => {
    rememberAuthorPath('/projects/p/drafts/a.yaml');
    rememberAuthorPath('/');
    expect(lastAuthorPath()).toBe('/projects/p/drafts/a.yaml');
  });

  it('is the latest project when no place in it is known', () => {
    rememberProject('p', 'P');
    rememberProject('q', 'Q');
    expect(lastAuthorPath()).toBe('/projects/q');
  });
});
