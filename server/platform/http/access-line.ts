import type { AccessEntry } from '../../http/http-profile.ts';
import { redactText, scrubPaths } from '../redaction.ts';

/** One line of the access log, keys sorted, redacted (contract/platform.md 11). */
export function accessLine(
  entry: AccessEntry,
  traceId: string | undefined,
): Record<string, unknown> {
  const { params, refusal } = entry;
  const known: readonly (readonly [key: string, value: unknown])[] = [
    ['client_ip', entry.client_ip],
    ['continuation_id', params['continuation_id']],
    ['duration_ms', entry.duration_ms],
    ['error', refusal?.code],
    ['event', 'http_request'],
    ['message', refusal === null ? undefined : scrubPaths(redactText(refusal.message))],
    ['method', entry.method],
    ['path', redactText(entry.path)],
    ['request_id', entry.request_id],
    ['run_id', params['run_id']],
    ['status_code', entry.status_code],
    ['trace_id', traceId],
    ['user_agent', entry.user_agent],
  ];
  return Object.fromEntries(
    known
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([key, value]) => [
        key,
        key.endsWith('_id') || key === 'user_agent' ? redacted(value) : value,
      ]),
  );
}

function redacted(value: unknown): unknown {
  return typeof value === 'string' ? redactText(value) : value;
}
