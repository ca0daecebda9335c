import { t } from '../../preload/texts/t.ts';

/** What an operator can do about what the dashboard answers, by code. */
export const OPERATIONS_REMEDIES: Readonly<Record<string, string>> = {
  upstream_error: t(
    'Whoever runs the platform can see in its log whether it is up and what it answers. Health shows what is known here.',
  ),
  rights_unknown: t('Check that the dashboard runs. It is asked again; nothing was changed.'),
  platform_unauthorized: t(
    'Whoever runs the dashboard must give it a key that the platform takes (PLATFORM_API_KEY, or the profile of the environment) and start it again.',
  ),
  platform_not_configured: t(
    'Whoever runs the dashboard must give the environment a platform: under Administration, or by PLATFORM_URL.',
  ),
  permission_denied: t(
    'The key of the dashboard may not do this at the platform. Whoever runs the platform can give it the scope.',
  ),
  service_unavailable: t(
    'It is starting, closing or too busy. Nothing was changed; wait a moment.',
  ),
  rate_limited: t('Wait the time that is named; close other windows that follow runs.'),
  internal_error: t(
    'Try again. If it goes on, give whoever runs the service the request id: its log says why.',
  ),
  response_invalid: t(
    'Window and service are of different versions. Reload the window; if it goes on, update the older one.',
  ),
  dashboard_state_conflict: t(
    'What you filled in is kept. Look at what is stored now, then save yours over it or take it.',
  ),
  idempotency_key_in_progress: t(
    'The first try is still on its way. Wait a moment, then look again.',
  ),
  resource_locked: t('Somebody is changing it right now. Wait a moment, then try again.'),
  code_not_trusted: t(
    'Whoever runs the platform names the signer in SERV_CODE_SIGNERS on every node, or gives all nodes one key. Then try again.',
  ),
  code_unusable: t(
    'Run it again where the folder of the project is: a new run takes its functions anew.',
  ),
  code_too_large: t(
    'Take out of the functions folder what no function needs, or let whoever runs the platform raise SERV_CODE_MAX_MB.',
  ),
};
