import type { JsonObject } from '../kernel/json.ts';

/** The type names that a run's `error.type` may carry for a thrown failure (platform.md 6.3). */
const THROWN_TYPES = [
  'SpecCompilationError',
  'SpecParseError',
  'GuardrailViolation',
  'ToolMiddlewareViolation',
  'ToolResultGuardrailViolation',
  'TokenBudgetExceeded',
  'RunLimitExceeded',
  'RetryTimeoutError',
  'EnvironmentPolicyError',
  'ValueError',
  'RuntimeError',
] as const;
type ThrownType = (typeof THROWN_TYPES)[number];

/** A finding that ended a run: what is wrong, and where in the spec. */
export interface FailedFinding {
  readonly code: string;
  readonly path: string | null;
}

/** `error` of a run record. */
export interface RunError {
  readonly message: string;
  readonly type: string;
  /** Of a spec that cannot run: what its message tells in words. */
  readonly findings?: readonly FailedFinding[];
}

/** Why a part of a run did not end well, as it travels from the effect up to the run. */
export interface Failure extends RunError {
  /** Guardrail stops, refused tool calls and the token budget: never retried, never swallowed by on_error. */
  readonly stop: boolean;
  readonly timed_out: boolean;
  /** False when a repeat cannot help (configuration, spec and type errors). */
  readonly retryable: boolean;
}

const STOPS: ReadonlySet<string> = new Set([
  'GuardrailViolation',
  'ToolMiddlewareViolation',
  'ToolResultGuardrailViolation',
  'TokenBudgetExceeded',
  'RunLimitExceeded',
]);

const GUARDRAILS: ReadonlySet<string> = new Set([
  'GuardrailViolation',
  'ToolMiddlewareViolation',
  'ToolResultGuardrailViolation',
]);

/** True when a guardrail or a tool policy ended the part. */
export function isGuardrailStop(error: RunError): boolean {
  return GUARDRAILS.has(error.type);
}

/** The known type name, or `RuntimeError` for everything unknown (platform.md 6.3). */
export function thrownType(name: string | null | undefined): ThrownType {
  return THROWN_TYPES.find((known) => known === name) ?? 'RuntimeError';
}

/** Makes a failure; guardrail, tool policy and budget types are stops by their name. */
export function failure(
  type: ThrownType,
  message: string,
  options: { readonly timed_out?: boolean; readonly retryable?: boolean } = {},
): Failure {
  return {
    type,
    message,
    stop: STOPS.has(type),
    timed_out: options.timed_out ?? type === 'RetryTimeoutError',
    retryable: options.retryable ?? true,
  };
}

/** The `{message, type}` of a run record. */
export function toRunError(error: Failure): RunError {
  return { message: error.message, type: error.type };
}

/** The error as a checkpoint keeps it. */
export function errorJson({ message, type, findings }: RunError): JsonObject {
  const told = findings?.map(({ code, path }) => ({ code, path }));
  return { message, type, ...(told === undefined ? {} : { findings: told }) };
}

/** How a synchronous run that failed with this type answers over HTTP (platform.md 4.2). */
export type FailureClass =
  | 'guardrail_violation'
  | 'token_budget_exceeded'
  | 'budget_exceeded'
  | 'run_limit_exceeded'
  | 'run_stopped'
  | 'code_not_trusted'
  | 'code_unusable'
  | 'spec_invalid'
  | 'environment_policy_blocked'
  | 'invalid_request'
  | 'internal_error';

/** Classifies `error.type` of a thrown failure. */
export function failureClass(type: string): FailureClass {
  switch (type) {
    case 'GuardrailViolation':
    case 'ToolMiddlewareViolation':
    case 'ToolResultGuardrailViolation':
      return 'guardrail_violation';
    case 'TokenBudgetExceeded':
      return 'token_budget_exceeded';
    case 'BudgetExceeded':
      return 'budget_exceeded';
    case 'RunLimitExceeded':
      return 'run_limit_exceeded';
    case 'RunStopped':
      return 'run_stopped';
    case 'CodeNotTrusted':
      return 'code_not_trusted';
    case 'CodeUnusable':
      return 'code_unusable';
    case 'SpecCompilationError':
    case 'SpecParseError':
      return 'spec_invalid';
    case 'EnvironmentPolicyError':
      return 'environment_policy_blocked';
    case 'ValueError':
      return 'invalid_request';
    default:
      return 'internal_error';
  }
}
