import { useEffect } from 'react';
import { createStore } from '../ui/store.ts';

/** The project that a page outside of Author belongs to, such as that of a run. */
export const pageProjectStore = createStore<string | undefined>(undefined);

/** Names the project of a page while it is shown. */
export function usePageProject(projectId: string | undefined): void {
  useEffect(() => {
    pageProjectStore.set(projectId);
    return () => pageProjectStore.set(undefined);
  }, [projectId]);
}
