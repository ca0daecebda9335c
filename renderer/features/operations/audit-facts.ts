import { t } from '../../../preload/texts/t.ts';
import { isObject } from '../../../server/kernel/json.ts';
import { listText } from '../../ui/list-text.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { statusText } from '../../ui/status-badge.tsx';

/** A line has room for so many. */
const MOST = 4;

function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    return listText(value.map(textOf));
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function tokensOf(usage: unknown): string {
  const count = isObject(usage) ? usage['total_tokens'] : undefined;
  return typeof count === 'number' && count > 0
    ? t('{count, plural, one {# token} other {# tokens}}', { count })
    : '';
}

/** What was there before and is there now, by its name where it has one. */
function nameIn(value: unknown): string {
  const name = isObject(value) ? value['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

const untold = (): string => '';
const asItIs = (value: unknown): string => textOf(value);
const status = (value: unknown): string => statusText(textOf(value));
const ifTrue =
  (words: string) =>
  (value: unknown): string =>
    value === true ? words : '';
const counted =
  (words: (count: number) => string) =>
  (value: unknown): string =>
    typeof value === 'number' ? words(value) : '';

/** What a fact says in a line. What only programs need is left to the details. */
const FACTS: Readonly<Record<string, (value: unknown) => string>> = {
  status,
  status_at_timeout: status,
  async_mode: ifTrue(t('in the background')),
  inline_spec: untold,
  target: untold,
  spec_path: asItIs,
  environment: (value) => t('environment {environment}', { environment: textOf(value) }),
  overlays: (value) => t('with {overlays}', { overlays: textOf(value) }),
  // A session may be named by what is secret: then the platform tells of none.
  session_id: (value) =>
    value === '[REDACTED]' ? '' : t('session {id}', { id: shortRunId(textOf(value)) }),
  usage: tokensOf,
  request_id: untold,
  decision: asItIs,
  selected_option: asItIs,
  has_content: ifTrue(t('with words of its own')),
  continued: ifTrue(t('by continuing the run')),
  reason: (value) => (value === 'service_died' ? t('the service ended under it') : textOf(value)),
  attempts: counted((count) => t('{count, plural, one {# attempt} other {# attempts}}', { count })),
  limit: counted((count) => t('of {count} at most', { count })),
  webhook_id: untold,
  event_id: untold,
  host: asItIs,
  events: asItIs,
  enabled: (value) => (value === false ? t('switched off') : ''),
  because: asItIs,
  repeated: counted((count) =>
    t('{count, plural, one {# event} other {# events}} sent again', { count }),
  ),
  timeout_seconds: counted((seconds) => t('after {seconds} s', { seconds })),
  expired_at: untold,
  expires_at: untold,
  deadline_at: untold,
  timed_out_at: untold,
  on_timeout: untold,
  assignee: (value) => t('for {assignee}', { assignee: textOf(value) }),
  error_type: asItIs,
  error_message: asItIs,
  origin_run_id: (value) => t('from run {id}', { id: shortRunId(textOf(value)) }),
  checkpoint_sequence: counted((sequence) => t('checkpoint {sequence}', { sequence })),
  edited: (value) => t('edited: {names}', { names: textOf(value) }),
  from_sha256: untold,
  to_sha256: untold,
  repeats: ifTrue(t('the step that failed is done again')),
  kept: counted((count) => t('{count, plural, one {# step} other {# steps}} kept', { count })),
  added: (value) => t('added: {names}', { names: textOf(value) }),
  skipped: (value) => t('left out: {names}', { names: textOf(value) }),
  currency: asItIs,
  previous: nameIn,
  current: nameIn,
  surface: untold,
  changed_fields: (value) => t('changed: {names}', { names: textOf(value) }),
  valid: (value) => (value === true ? t('valid') : t('not valid')),
  workflow_kind: asItIs,
  source: (value) => (value === 'run' ? t('of a run') : textOf(value)),
  metadata: untold,
  skills_overlay: untold,
  add: (value) => t('added: {names}', { names: textOf(value) }),
  disable: (value) => t('switched off: {names}', { names: textOf(value) }),
  renamed: (value) =>
    isObject(value) ? t('renamed: {names}', { names: listText(Object.keys(value)) }) : '',
  providers_requested: untold,
  extras_requested: untold,
  include_service_references: untold,
  extra_count: untold,
  service_reference_count: untold,
  providers_present: untold,
  extras_present: untold,
  service_references_present: untold,
  provider_count: counted((count) =>
    t('{count, plural, one {# provider} other {# providers}}', { count }),
  ),
};

const EMPTY: ReadonlySet<unknown> = new Set(['null', '""', '{}', '[]']);

function factText(name: string, value: unknown): string {
  if (EMPTY.has(JSON.stringify(value))) {
    return '';
  }
  const known = FACTS[name];
  if (known !== undefined) {
    return known(value);
  }
  // A fact of another program: its name as words.
  const words = name.replaceAll('_', ' ');
  return value === true ? words : `${words}: ${textOf(value)}`;
}

/** What an event was about, in one line of words; all of it stands in its details. */
export function factsLine(metadata: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(metadata).map(([name, value]) => factText(name, value));
  return [...new Set(texts)]
    .filter((text) => text !== '')
    .slice(0, MOST)
    .join(' · ');
}
