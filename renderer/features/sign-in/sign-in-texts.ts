import { t } from '../../../preload/texts/t.ts';
import { type ApiError, toApiError } from '../../data/api-error.ts';
import type { SignInService } from '../../data/sign-in.ts';

/** What went wrong at a sign-in, in words. */
export interface SignInFault {
  readonly title: string;
  readonly text: string;
  /** What somebody runs on the server to change it. */
  readonly command?: string;
  /** Seconds until the next try counts. */
  readonly wait?: number;
}

interface Work {
  readonly title: string;
  readonly text: string;
  /** Where it asks nobody and is not for everybody. */
  readonly shut: string;
  /** The service that answers by itself. */
  readonly alone: string;
}

/** What people do at a service. */
export const WORK: Readonly<Record<SignInService, Work>> = {
  studio: {
    title: t('Authoring'),
    text: t('Projects, drafts, imports and artifacts'),
    shut: t('Authoring is for who runs this server'),
    alone: t('the authoring studio'),
  },
  dashboard: {
    title: t('Operations'),
    text: t('Runs, traces and human tasks'),
    shut: t('Runs and tasks are for who runs this server'),
    alone: t('the operations dashboard'),
  },
};

const FAULTS: Readonly<Record<string, Omit<SignInFault, 'wait'>>> = {
  invalid_credentials: {
    title: t('Name or password is not right'),
    text: t(
      'Both tell capitals from small letters. Nothing more is said about which of them it is.',
    ),
  },
  not_admitted: {
    title: t('You are known, but not let in'),
    text: t(
      'Ask who runs this server to let you in, then sign in once more. With passwords they type:',
    ),
    command: 'specwright studio principal approve --subject NAME',
  },
  too_many_failed_attempts: {
    title: t('Too many failed sign-ins'),
    text: t('This name waits a minute, from this address.'),
  },
  too_many_login_starts: {
    title: t('Too many sign-ins from this address'),
    text: t('They go on within a minute.'),
  },
  too_many_login_attempts: {
    title: t('Too many sign-ins are under way'),
    text: t('Try again when some of them have ended.'),
  },
  login_capacity_exhausted: {
    title: t('The server checks other sign-ins'),
    text: t('Try again in a moment.'),
  },
  bootstrap_consumed: {
    title: t('The token does not open this server'),
    text: t('It was used, is too old or belongs to another one. Ask for a new one on the server:'),
    command: 'specwright studio bootstrap-token',
  },
  untrusted_forwarding: {
    title: t('A proxy stands between'),
    text: t('Who runs this server names its address in SPECWRIGHT_TRUSTED_PROXIES.'),
  },
  deployment_cap_required: {
    title: t('The server is not set up for other computers'),
    text: t('Who runs it sets STUDIO_DEPLOYMENT_CAP.'),
  },
  invalid_state: {
    title: t('This sign-in is over'),
    text: t('It was used already, or was begun in another browser. Begin again.'),
  },
  bad_request: {
    title: t('This sign-in is over'),
    text: t('It was used already, took too long, or was begun in another browser. Begin again.'),
  },
  expired_attempt: {
    title: t('This sign-in took too long'),
    text: t('Ten minutes after it began it counts no more. Begin again.'),
  },
  provider_refused: {
    title: t('The provider did not sign you in'),
    text: t('You cancelled there, or it does not let you use this server.'),
  },
  provider_error: {
    title: t('The provider’s answer cannot be trusted'),
    text: t('Begin again. When it stays, the log of the server says what did not fit.'),
  },
  unauthorized: {
    title: t('The provider’s answer cannot be trusted'),
    text: t('Begin again. When it stays, the log of the server says what did not fit.'),
  },
  upstream_error: {
    title: t('The provider does not answer'),
    text: t('Try again in a moment. When it stays, the log of the server says what it tried.'),
  },
  forbidden: {
    title: t('You have no role here'),
    text: t('The provider knows you, but names no role of the dashboard for you. Ask who runs it.'),
  },
  service_unavailable: {
    title: t('The dashboard is locked down'),
    text: t('An operator ends that on the server:'),
    command: 'specwright dashboard recover --reconcile',
  },
};

/** What went wrong, by the code that came back in the address. */
export function faultOfCode(code: string, wait?: number): SignInFault {
  const known = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
  return {
    ...(known ?? { title: t('The sign-in failed'), text: t('Begin again.') }),
    ...(wait === undefined ? {} : { wait }),
  };
}

/** What went wrong with a name and a password. */
export function faultOfError(error: unknown, username: string): SignInFault {
  const told: ApiError = toApiError(error);
  const wait = told.retryAfter ?? undefined;
  if (!Object.hasOwn(FAULTS, told.code)) {
    return {
      title: t('The sign-in failed'),
      text: told.message,
      ...(wait === undefined ? {} : { wait }),
    };
  }
  const fault = faultOfCode(told.code, wait);
  const command = fault.command?.replace('NAME', username);
  return command === undefined ? fault : { ...fault, command };
}
