import type { JsonObject } from '../../../items/item.ts';
import { REDACTED } from '../../../kernel/redact.ts';
import { replaceEach } from '../../../kernel/replace-each.ts';
import { StepFailure } from '../../handler.ts';
import { type HttpAnswer, HttpFailure } from '../../http-port.ts';
import { FieldFailure } from '../fields.ts';
import type { ItemOutcome } from '../on-error.ts';
import { answerText, readLoosely } from './answer-items.ts';
import type { HttpSettings } from './settings.ts';

const TOO_MANY = 429;
const SLOWER = "Try spacing your requests out using the batching settings under 'Options'";

/** The server refused the request. */
export class StatusFailure extends Error {
  override readonly name = 'StatusFailure';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** True for a status that the step takes for an answer. */
export function isGood({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The failure of an answer with a status that is none. */
export function statusFailure(answer: HttpAnswer, { format }: HttpSettings): StatusFailure {
  const { status } = answer;
  const text = answerText(answer);
  const isRead = format === 'json' || format === 'text';
  const told = JSON.stringify(isRead ? readLoosely(text) : text);
  return new StatusFailure(status, status === TOO_MANY ? SLOWER : `${status} - ${told}`);
}

function codeOf(status: number): string | undefined {
  if (status < 400) return undefined;
  return status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE';
}

function errorOf(error: StatusFailure | HttpFailure, message: string): JsonObject {
  if (error instanceof HttpFailure) {
    const name =
      error.code === 'ECONNABORTED' || error.code.startsWith('ERR_') ? 'AxiosError' : 'Error';
    return { message, name, stack: `${name}: ${message}`, code: error.code };
  }
  const { status } = error;
  const code = codeOf(status);
  const stack = `AxiosError: Request failed with status code ${status}`;
  return { message, name: 'AxiosError', stack, ...(code === undefined ? {} : { code }), status };
}

/** What became of an item whose request failed; no secret is in it. Other errors are thrown on. */
export function outcomeOf(error: unknown, secrets: readonly string[]): ItemOutcome {
  if (error instanceof FieldFailure || error instanceof StepFailure)
    return { failed: error.message };
  if (!(error instanceof StatusFailure || error instanceof HttpFailure)) throw error;
  const failed = replaceEach(error.message, secrets, REDACTED);
  return { failed, error: errorOf(error, failed) };
}
