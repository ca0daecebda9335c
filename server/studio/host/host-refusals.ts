import { type ErrorTable, refusalsOf } from '../../kernel/refusal.ts';

const status = 409;

/** What a command of the operator may be refused with (studio.md 20); printed, never sent. */
const HOST_ERRORS = {
  unknown_principal: {
    status,
    message: 'There is no such principal. "principal list" names them.',
  },
  ambiguous_principal: { status, message: 'Several principals have that subject. Add --issuer.' },
  already_disabled: { status, message: 'The principal is disabled already.' },
  not_pending: { status, message: 'The principal does not wait for approval.' },
  not_active: { status, message: 'The principal is not active.' },
  not_disabled: { status, message: 'The principal is not disabled.' },
  sentinel_principal: { status, message: 'The operator is no person; its state stays.' },
  sole_owner: {
    status,
    message: 'The principal is the only owner of a project. Name an heir with --owner-to.',
  },
  charged_principal: {
    status,
    message: 'The principal carries the charge of a project. Name an heir with --quota-to.',
  },
  target_not_active: { status, message: 'The heir is no active person.' },
  target_not_a_member: { status, message: 'The heir is no member of the project.' },
  target_is_the_subject: { status, message: 'The heir must be somebody else.' },
  project_limit_reached: { status, message: 'The heir carries as many projects as allowed.' },
  target_has_no_headroom: {
    status,
    message: 'The heir has no room for the bytes of the project.',
  },
  local_owner_of_unadopted_instance: {
    status,
    message: 'The local owner is the only way into a studio that nobody signed in to.',
  },
  local_owner_was_adopted_away: {
    status,
    message: 'The studio has another owner since; the local owner stays disabled.',
  },
  unknown_project: { status, message: 'There is no such project.' },
  attaching_disabled: {
    status,
    message: 'STUDIO_ATTACHABLE_ROOTS names no folder, so nothing can be attached.',
  },
  path_not_attachable: {
    status,
    message: 'The path is no folder inside of STUDIO_ATTACHABLE_ROOTS.',
  },
  project_root_overlap: { status, message: 'The folder overlaps that of another project.' },
  unknown_profile: { status, message: 'There is no such profile.' },
  alias_bound: { status, message: 'The alias is bound already. "env rotate" changes it.' },
  unknown_alias: { status, message: 'The project has no live binding of that alias.' },
  unknown_generation: { status, message: 'The alias has no live generation of that number.' },
  last_live_binding: { status, message: 'The last live binding of a project stays.' },
  project_bound: { status, message: 'The project is bound. "env add" or "env rotate" changes it.' },
  cap_below_usage: { status, message: 'A cap cannot be lower than what is in use.' },
} as const satisfies ErrorTable;

/** A refusal of a host command. */
export const refuseHost = refusalsOf(HOST_ERRORS);
