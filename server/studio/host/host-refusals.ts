import { Refusal } from '../../kernel/refusal.ts';

/** What a command of the operator may be refused with (studio.md 20); printed, never sent. */
const MESSAGES = {
  unknown_principal: 'There is no such principal. "principal list" names them.',
  ambiguous_principal: 'Several principals have that subject. Add --issuer.',
  already_disabled: 'The principal is disabled already.',
  not_pending: 'The principal does not wait for approval.',
  not_active: 'The principal is not active.',
  not_disabled: 'The principal is not disabled.',
  sentinel_principal: 'The operator is no person; its state stays.',
  sole_owner: 'The principal is the only owner of a project. Name an heir with --owner-to.',
  charged_principal: 'The principal carries the charge of a project. Name an heir with --quota-to.',
  target_not_active: 'The heir is no active person.',
  target_not_a_member: 'The heir is no member of the project.',
  target_is_the_subject: 'The heir must be somebody else.',
  project_limit_reached: 'The heir carries as many projects as allowed.',
  target_has_no_headroom: 'The heir has no room for the bytes of the project.',
  local_owner_of_unadopted_instance:
    'The local owner is the only way into a studio that nobody signed in to.',
  local_owner_was_adopted_away:
    'The studio has another owner since; the local owner stays disabled.',
  unknown_project: 'There is no such project.',
  attaching_disabled: 'STUDIO_ATTACHABLE_ROOTS names no folder, so nothing can be attached.',
  path_not_attachable: 'The path is no folder inside of STUDIO_ATTACHABLE_ROOTS.',
  no_folder: 'There is no such folder, or it cannot be opened.',
  program_folder: 'The folder holds files of this program, or lies among them. Choose another one.',
  people_sign_in:
    'People sign in to this studio: whoever runs it attaches folders with "specwright studio project attach".',
  project_root_overlap: 'The folder overlaps that of another project.',
  unknown_profile: 'There is no such profile.',
  alias_bound: 'The alias is bound already. "env rotate" changes it.',
  unknown_alias: 'The project has no live binding of that alias.',
  unknown_generation: 'The alias has no live generation of that number.',
  last_live_binding: 'The last live binding of a project stays.',
  project_bound: 'The project is bound. "env add" or "env rotate" changes it.',
  not_static_mode: 'Such a token is for sign-in with passwords: set STUDIO_AUTH_MODE=static.',
  already_adopted: 'Somebody has taken the studio over already.',
  cap_below_usage: 'A cap cannot be lower than what is in use.',
} as const;

type HostCode = keyof typeof MESSAGES;

/** A refusal of a host command. */
export function refuseHost(code: HostCode, message: string = MESSAGES[code]): Refusal<HostCode> {
  return new Refusal(code, { status: 409, message });
}
