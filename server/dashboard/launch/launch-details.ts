import {
  type LaunchDetails,
  type LaunchOptions,
  type LaunchRunInput,
  type LaunchSource,
  launchDetails,
} from '../../contract/dashboard/launch.ts';
import { maskText } from '../../kernel/mask-secrets.ts';

/** What was stored beside a launch or an action; what cannot be read tells nothing. */
export function readDetails(stored: string | null): LaunchDetails {
  if (stored === null) return {};
  try {
    return launchDetails.safeParse(JSON.parse(stored)).data ?? {};
  } catch {
    return {};
  }
}

/** A source as it is kept: a name that holds a credential is masked. */
export function keptSource(source: LaunchSource): LaunchSource {
  return source.kind === 'draft'
    ? { ...source, ref: maskText(source.ref) }
    : { ...source, draft_ref: maskText(source.draft_ref) };
}

type Given = Pick<
  LaunchRunInput,
  'overlays' | 'overrides' | 'skills' | 'session_id' | 'metadata' | 'strict' | 'timeout'
>;

/**
 * Options as they are kept, so that a launch can be filled in again. Overrides and metadata hold
 * whatever somebody puts there, as specs do, and are only named.
 */
export function keptOptions(given: Given): LaunchOptions | undefined {
  const {
    overlays = [],
    overrides = {},
    metadata = {},
    skills,
    session_id,
    strict,
    timeout,
  } = given;
  const not_kept = [
    ...(Object.keys(overrides).length > 0 ? (['overrides'] as const) : []),
    ...(Object.keys(metadata).length > 0 ? (['metadata'] as const) : []),
  ];
  const options: LaunchOptions = {
    ...(overlays.length > 0 ? { overlays: overlays.map(maskText) } : {}),
    ...(skills === undefined
      ? {}
      : { skills: { add: skills.add.map(maskText), disable: skills.disable.map(maskText) } }),
    ...(session_id === undefined ? {} : { session_id: maskText(session_id) }),
    ...(strict === undefined ? {} : { strict }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(not_kept.length > 0 ? { not_kept } : {}),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}

/** Details as they are stored; null where there is nothing to tell. */
export function detailsOf(
  source: LaunchSource | undefined,
  options: LaunchOptions | undefined,
  who: Pick<LaunchDetails, 'via' | 'name'> = {},
): LaunchDetails | null {
  const details = {
    ...(source === undefined ? {} : { source: keptSource(source) }),
    ...(options === undefined ? {} : { options }),
    ...who,
  };
  return Object.keys(details).length === 0 ? null : details;
}
