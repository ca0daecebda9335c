import { isObject } from '../../kernel/json.ts';
import { EffectFailure } from '../run-effects.ts';

/** The stable first words of a failed model call's message. */
export type ModelFailureCode =
  | 'model_settings_invalid'
  | 'model_key_refused'
  | 'model_not_found'
  | 'model_request_refused'
  | 'model_context_too_long'
  | 'model_rate_limited'
  | 'model_quota_exhausted'
  | 'model_server_failed'
  | 'model_unreachable'
  | 'model_redirected'
  | 'model_timeout'
  | 'model_answer_malformed'
  | 'model_answer_too_large'
  | 'model_answer_cut'
  | 'model_answer_blocked';

/** Codes whose cause may be gone at the next attempt. */
const REPEATABLE: ReadonlySet<ModelFailureCode> = new Set([
  'model_rate_limited',
  'model_server_failed',
  'model_unreachable',
  'model_timeout',
  'model_answer_malformed',
]);

/** A longer wait than this is no wait: the call fails at once. */
const LONGEST_RETRY_AFTER_SECONDS = 300;

/**
 * A failed model call. The message begins with the code and says what to do; it holds neither a key
 * nor a word of prompt or answer, so no text of the provider may be put into it.
 */
export function modelFailure(
  code: ModelFailureCode,
  message: string,
  facts: { readonly retryAfterSeconds?: number | undefined } = {},
): EffectFailure {
  const wait = facts.retryAfterSeconds;
  const tooLong = wait !== undefined && wait > LONGEST_RETRY_AFTER_SECONDS;
  return new EffectFailure(`${code}: ${message}`, {
    type: typeOf(code),
    retryable: REPEATABLE.has(code) && !tooLong,
    ...(code === 'model_timeout' ? { timed_out: true } : {}),
    ...(wait === undefined || tooLong ? {} : { retry_after_seconds: wait }),
  });
}

function typeOf(code: ModelFailureCode): string {
  if (code === 'model_timeout') return 'RetryTimeoutError';
  return code === 'model_settings_invalid' ? 'ValueError' : 'RuntimeError';
}

/** Who is called, for messages. */
export interface CalledModel {
  readonly provider: string;
  readonly model: string;
  /** Host and port, never path or query. */
  readonly host: string;
  readonly keyName: string;
  readonly hasKey: boolean;
}

const WORD = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const CONTEXT =
  /context[ _-]?(length|window)|maximum context|prompt is too long|too many (input )?tokens|token count .{0,60}exceeds|exceeds? the (maximum|available) (number of )?(input )?(tokens|context)/i;

/** The identifiers of a provider's error object (`code`, `type`, `status`, `param`), never its text. */
interface ErrorFacts {
  readonly words: readonly string[];
  readonly contextTooLong: boolean;
}

/** Reads a provider's error body or a streamed error. */
export function readErrorFacts(body: unknown): ErrorFacts {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const inner = isObject(first) ? first['error'] : undefined;
  const error = isObject(inner) ? inner : isObject(first) ? first : {};
  const details = Array.isArray(error['details']) ? error['details'] : [];
  const named: unknown[] = ['code', 'type', 'status', 'param'].map((name) => error[name]);
  const reasons: unknown[] = details.map((item) => (isObject(item) ? item['reason'] : undefined));
  const words = [...named, ...reasons].flatMap((value) =>
    typeof value === 'string' && WORD.test(value) ? [value] : [],
  );
  const message = error['message'] ?? inner;
  const text = typeof message === 'string' ? message.slice(0, 4000) : '';
  return {
    words: [...new Set(words)],
    contextTooLong: has(words, 'context_length_exceeded') || CONTEXT.test(text),
  };
}

function shown(status: number | undefined, words: readonly string[]): string {
  const facts = [...(status === undefined ? [] : [`HTTP ${status}`]), ...words];
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}

function has(words: readonly string[], ...wanted: readonly string[]): boolean {
  return words.some((word) => wanted.includes(word.toLowerCase()));
}

interface Refused {
  readonly called: CalledModel;
  readonly status: number | undefined;
  readonly facts: ErrorFacts;
  readonly retryAfterSeconds: number | undefined;
}

interface RefusalRule {
  readonly code: ModelFailureCode;
  readonly statuses: readonly number[];
  /** Identifiers of the error object that mean the same. */
  readonly words: readonly string[];
  /** The message; `at` names provider and host, `why` the facts in brackets. */
  message(refused: Refused, at: string, why: string): string;
}

/** The first rule that fits counts; a refusal that fits none is one of the server. */
const RULES: readonly RefusalRule[] = [
  {
    code: 'model_context_too_long',
    statuses: [413],
    words: ['context_length_exceeded', 'request_too_large'],
    message: ({ called }, _at, why) =>
      `the conversation is longer than model '${called.model}' takes${why}. Use a memory policy (sliding_window or summary), fewer tools or a model with a larger context.`,
  },
  {
    code: 'model_quota_exhausted',
    statuses: [402],
    words: ['insufficient_quota', 'billing_error', 'billing_hard_limit_reached'],
    message: (_, at, why) =>
      `${at} says that the account's quota is used up${why}. Check plan and billing there.`,
  },
  {
    code: 'model_key_refused',
    statuses: [401, 403],
    words: ['authentication_error', 'invalid_api_key', 'api_key_invalid', 'permission_error'],
    message: ({ called }, at, why) => {
      const hint = called.hasKey
        ? `The key under ${called.keyName} is wrong, expired or may not use model '${called.model}'.`
        : `No key was sent. A provider's own key goes to its own address only; name the key of this one in model.extra.api_key_ref: a secret stored under Settings or listed in SERV_SPEC_SECRETS.`;
      return `${at} refused the key${why}. ${hint}`;
    },
  },
  {
    code: 'model_not_found',
    statuses: [404],
    words: ['model_not_found', 'not_found_error'],
    message: ({ called }, at, why) =>
      `${at} knows no model '${called.model}' at this address${why}. Check model.name and base_url.`,
  },
  {
    code: 'model_rate_limited',
    statuses: [429],
    words: ['rate_limit_error', 'rate_limit_exceeded', 'resource_exhausted'],
    message: ({ retryAfterSeconds: wait }, at, why) => {
      const when = wait === undefined ? 'later' : `after ${wait} s`;
      return `${at} limits the rate of calls${why}. Try again ${when}; SERV_PROVIDER_RETRIES repeats such calls.`;
    },
  },
  {
    code: 'model_redirected',
    statuses: [301, 302, 303, 307, 308],
    words: [],
    message: (_, at, why) =>
      `${at} answered with a redirect${why}, which is not followed. Give its final address as base_url.`,
  },
  {
    code: 'model_request_refused',
    statuses: [400, 405, 406, 410, 411, 415, 418, 422, 451],
    words: [],
    message: ({ called }, at, why) =>
      `${at} refused the request${why}. Check the settings of model '${called.model}' and the parameters of its tools.`,
  },
  {
    code: 'model_server_failed',
    statuses: [],
    words: [],
    message: (_, at, why) =>
      `${at} failed${why}. Try again; SERV_PROVIDER_RETRIES repeats such calls.`,
  },
];

function fits(rule: RefusalRule, { status, facts }: Refused): boolean {
  if (rule.code === 'model_server_failed') return true;
  if (rule.code === 'model_context_too_long' && facts.contextTooLong) return true;
  return (
    has(facts.words, ...rule.words) || (status !== undefined && rule.statuses.includes(status))
  );
}

/** What a provider's refusal means, by its status and the identifiers of its error object. */
export function refusalOf(refused: Refused): EffectFailure {
  const { called, status, facts, retryAfterSeconds } = refused;
  const at = `provider '${called.provider}' at ${called.host}`;
  const rule = RULES.find((candidate) => fits(candidate, refused));
  const code = rule?.code ?? 'model_server_failed';
  const message = rule?.message(refused, at, shown(status, facts.words)) ?? at;
  return modelFailure(code, message, { retryAfterSeconds });
}
