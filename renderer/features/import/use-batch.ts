import { useEffect, useState } from 'react';
import { useStore } from '../../ui/store.ts';
import { findBatch, type ImportBatch, importBatchStore } from './import-batch-store.ts';

/** The latest import of several files into a project; undefined while it is looked for. */
export function useBatch(projectId: string): ImportBatch | null | undefined {
  const batch = useStore(importBatchStore);
  const [looked, setLooked] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    void findBatch(projectId).then(() => current && setLooked(projectId));
    return () => {
      current = false;
    };
  }, [projectId]);
  if (batch?.projectId === projectId) {
    return batch;
  }
  return looked === projectId ? null : undefined;
}
