import { useQueries, useQuery } from '@tanstack/react-query';
import type { Role } from '../../../server/contract/studio/fields.ts';
import {
  acceptQuotaTransfer,
  createInvitation,
  declineQuotaTransfer,
  deleteInvitation,
  deleteMember,
  getQuotaTransfer,
  listInvitations,
  listMembers,
  type Member,
  proposeQuotaTransfer,
  putMember,
} from '../../../server/contract/studio/members.ts';
import { getProjectLimits } from '../../../server/contract/studio/projects.ts';
import { getMe, type Project } from '../../../server/contract/studio/session.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';

function paramsOf(projectId: string) {
  return { params: { project_id: projectId } };
}

/** Others act too: what they may have changed is read at each visit, and while it is looked at. */
const SHARED = { staleTime: 0, refetchInterval: 15_000 } as const;

export function useMembers(projectId: string) {
  return useQuery({ ...routeQuery(listMembers, paramsOf(projectId)), ...SHARED });
}

/** Pending invitations, for owners: whoever else asks is refused and written down. */
export function useInvitations(projectId: string) {
  return useQuery({ ...routeQuery(listInvitations, paramsOf(projectId)), ...SHARED });
}

export function useTransfer(projectId: string) {
  return useQuery({ ...routeQuery(getQuotaTransfer, paramsOf(projectId)), ...SHARED });
}

export function useLimits(projectId: string) {
  return useQuery(routeQuery(getProjectLimits, paramsOf(projectId)));
}

/** So many of a person's other projects are asked who is in them. */
const MOST_PROJECTS = 20;

/** People whom somebody shares another project with, and who are not in this one. */
export function useKnownPeople(
  projects: readonly Project[],
  projectId: string,
  members: readonly Member[],
): readonly Member[] {
  const others = projects.filter(({ id }) => id !== projectId).slice(0, MOST_PROJECTS);
  const answers = useQueries({
    queries: others.map(({ id }) => ({
      ...routeQuery(listMembers, paramsOf(id)),
      staleTime: 60_000,
    })),
  });
  const here = new Set(members.map(({ principal_id }) => principal_id));
  const found = new Map(
    answers.flatMap(({ data }) => data ?? []).map((one) => [one.principal_id, one] as const),
  );
  return [...found.values()].filter(({ principal_id }) => !here.has(principal_id));
}

async function readAgain(): Promise<void> {
  const routes = [listMembers, listInvitations, getQuotaTransfer, getProjectLimits, getMe];
  await Promise.all(
    routes.map((route) => queryClient.invalidateQueries({ queryKey: routePrefix(route) })),
  );
}

/** Adds a person or gives another role. */
export async function giveRole(projectId: string, person: string, role: Role): Promise<void> {
  await call(putMember, {
    params: { project_id: projectId, principal_id: person },
    body: { role },
  });
  await readAgain();
}

/** Takes a person out of the project. */
export async function removePerson(projectId: string, person: string): Promise<void> {
  await call(deleteMember, { params: { project_id: projectId, principal_id: person } });
  await readAgain();
}

export interface Invited {
  readonly role: Role;
  readonly selector_kind: string;
  readonly selector_value: string;
}

/** Invites whoever signs in as named. */
export async function invite(projectId: string, invited: Invited): Promise<void> {
  await call(createInvitation, { ...paramsOf(projectId), body: invited });
  await readAgain();
}

/** Takes an invitation back. */
export async function takeBack(projectId: string, invitationId: string): Promise<void> {
  await call(deleteInvitation, {
    params: { project_id: projectId, invitation_id: invitationId },
  });
  await readAgain();
}

/** Offers the storage to another member. */
export async function offerStorage(projectId: string, person: string): Promise<void> {
  await call(proposeQuotaTransfer, { ...paramsOf(projectId), body: { to_principal: person } });
  await readAgain();
}

/** Takes the storage over, or declines it. */
export async function answerOffer(
  projectId: string,
  transferId: string,
  accepted: boolean,
): Promise<void> {
  const input = { params: { project_id: projectId, transfer_id: transferId } };
  await (accepted ? call(acceptQuotaTransfer, input) : call(declineQuotaTransfer, input));
  await readAgain();
}
