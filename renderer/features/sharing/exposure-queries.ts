import { useQuery } from '@tanstack/react-query';
import {
  confirmExposure,
  getExposure,
  getExposureConfirmation,
  getExposurePreflight,
} from '../../../server/contract/studio/exposure.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routeQuery } from '../../data/query-client.ts';

function paramsOf(projectId: string) {
  return { params: { project_id: projectId } };
}

/** What the project exposes, for owners: whoever else asks is refused and written down. */
export function usePreflight(projectId: string, isOwner: boolean) {
  return useQuery({
    ...routeQuery(getExposurePreflight, paramsOf(projectId)),
    enabled: isOwner,
    staleTime: 0,
  });
}

/** Who confirmed last, and what is new or gone since; for owners. */
export function useConfirmation(projectId: string, isOwner: boolean) {
  return useQuery({
    ...routeQuery(getExposureConfirmation, paramsOf(projectId)),
    enabled: isOwner,
    staleTime: 0,
  });
}

/** The files whose exposure an owner answers for, as every member may see them. */
export function useExposed(projectId: string, enabled: boolean) {
  return useQuery({ ...routeQuery(getExposure, paramsOf(projectId)), enabled });
}

/** Reads everything of the studio again: what was refused before may be answered now. */
async function readStudioAgain(): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'studio' });
}

/** Confirms the list that was shown. A list that changed is refused, and read again. */
export async function confirmShown(projectId: string, digest: string): Promise<void> {
  try {
    await call(confirmExposure, { ...paramsOf(projectId), body: { exposure_digest: digest } });
  } finally {
    await readStudioAgain();
  }
}
