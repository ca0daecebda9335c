import { z } from 'zod';
import { studioRoute } from '../route.ts';
import { ProjectParams, Role, Timestamp } from './fields.ts';

export const Member = z
  .strictObject({
    principal_id: z.string(),
    display_name: z.string(),
    role: Role,
    is_quota_principal: z.boolean(),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

const MemberRequest = z
  .strictObject({ role: Role, exposure_digest: z.string().nullish() })
  .meta({ id: 'MemberRequest' });

const InvitationRequest = z
  .strictObject({
    role: Role,
    selector_kind: z.string(),
    selector_value: z.string(),
    exposure_digest: z.string().nullish(),
  })
  .meta({ id: 'InvitationRequest' });

export const InvitationView = z
  .strictObject({
    id: z.string(),
    role: Role,
    selector_kind: z.string(),
    selector_value: z.string(),
    expires_at: Timestamp,
    held_reason: z.string().nullable(),
  })
  .meta({ id: 'InvitationView' });
export type InvitationView = z.infer<typeof InvitationView>;

export const TransferView = z
  .strictObject({
    id: z.string(),
    project_id: z.string(),
    from_principal: z.string(),
    to_principal: z.string(),
    state: z.enum(['proposed', 'accepted', 'declined', 'expired']),
    proposed_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'TransferView' });
export type TransferView = z.infer<typeof TransferView>;

const MemberParams = z.object({ project_id: z.string(), principal_id: z.string() });
const TransferParams = z.object({ project_id: z.string(), transfer_id: z.string() });

export const listMembers = studioRoute.get('list_members', {
  path: '/projects/{project_id}/members',
  summary: 'Members by display name',
  params: ProjectParams,
  responses: { 200: z.array(Member) },
  access: 'viewer',
});

export const putMember = studioRoute.put('put_member', {
  path: '/projects/{project_id}/members/{principal_id}',
  summary: 'Add a member or change their role',
  params: MemberParams,
  body: MemberRequest,
  responses: { 200: z.array(Member) },
  errors: ['member_not_found', 'last_owner', 'exposure_confirmation_required'],
  access: 'owner',
  meta: { audit: 'put_member' },
});

export const deleteMember = studioRoute.delete('delete_member', {
  path: '/projects/{project_id}/members/{principal_id}',
  summary: 'Remove a member',
  params: MemberParams,
  responses: { 200: z.array(Member) },
  errors: ['member_not_found', 'last_owner', 'quota_principal_membership'],
  access: 'owner',
  meta: { audit: 'delete_member' },
});

export const createInvitation = studioRoute.post('create_invitation', {
  path: '/projects/{project_id}/invitations',
  summary: 'Invite a person; the answer never says whether they exist',
  params: ProjectParams,
  body: InvitationRequest,
  responses: { 202: z.strictObject({ status: z.literal('sent') }) },
  errors: [
    'selector_not_addressable',
    'selector_unavailable',
    'exposure_confirmation_required',
    'unknown_selector',
    'too_many_invitations',
  ],
  access: 'owner',
  meta: { audit: 'create_invitation' },
});

export const listInvitations = studioRoute.get('list_invitations', {
  path: '/projects/{project_id}/invitations',
  summary: 'Pending invitations, oldest first',
  params: ProjectParams,
  responses: { 200: z.array(InvitationView) },
  access: 'owner',
  meta: { audit: 'list_invitations' },
});

export const deleteInvitation = studioRoute.delete('delete_invitation', {
  path: '/projects/{project_id}/invitations/{invitation_id}',
  summary: 'Revoke an invitation',
  params: z.object({ project_id: z.string(), invitation_id: z.string() }),
  responses: { 204: null },
  errors: ['invitation_not_found'],
  access: 'owner',
  meta: { audit: 'delete_invitation' },
});

export const getQuotaTransfer = studioRoute.get('get_quota_transfer', {
  path: '/projects/{project_id}/quota-transfer',
  summary: 'The open transfer of the storage charge, or null',
  params: ProjectParams,
  responses: { 200: TransferView.nullable() },
  access: 'viewer',
});

export const proposeQuotaTransfer = studioRoute.post('propose_quota_transfer', {
  path: '/projects/{project_id}/quota-transfer',
  summary: 'Offer the storage charge to another member',
  params: ProjectParams,
  body: z.strictObject({ to_principal: z.string() }).meta({ id: 'TransferRequest' }),
  responses: { 201: TransferView },
  errors: [
    'transfer_to_self',
    'target_not_a_member',
    'target_cannot_answer',
    'transfer_already_proposed',
    'not_the_quota_principal',
  ],
  access: 'viewer',
  meta: { audit: 'propose_quota_transfer' },
});

const ANSWER_ERRORS = [
  'no_such_transfer',
  'not_the_transfer_target',
  'transfer_busy',
  'target_quota_exceeded',
  'project_limit_reached',
];

export const acceptQuotaTransfer = studioRoute.post('accept_quota_transfer', {
  path: '/projects/{project_id}/quota-transfer/{transfer_id}/accept',
  summary: 'Take the storage charge over',
  params: TransferParams,
  responses: { 200: TransferView },
  errors: ANSWER_ERRORS,
  access: 'viewer',
  meta: { audit: 'accept_quota_transfer' },
});

export const declineQuotaTransfer = studioRoute.post('decline_quota_transfer', {
  path: '/projects/{project_id}/quota-transfer/{transfer_id}/decline',
  summary: 'Decline the storage charge',
  params: TransferParams,
  responses: { 200: TransferView },
  errors: ANSWER_ERRORS,
  access: 'viewer',
  meta: { audit: 'decline_quota_transfer' },
});
