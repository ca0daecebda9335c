import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { t } from '../../../../preload/texts/t.ts';
import { rich } from '../../../ui/rich.ts';
import { Badge } from '../../../ui/status-badge.tsx';
import {
  type AnswerChoice,
  type AnswerDraft,
  answerOf,
  partId,
  proposed,
  type RehearsalNeed,
  sentOf,
  withReadField,
} from './rehearsal-model.ts';
import type { RehearsalSession } from './use-rehearsal.ts';

/** Offers a rehearsal, or asks what each step that cannot run answers in it. */
export function RehearsalList(props: { readonly session: RehearsalSession }) {
  const { session } = props;
  if (session.on) return <Answers session={session} />;
  const blocked = session.needs.filter(({ blocking }) => blocking);
  return blocked.length === 0 ? null : (
    <section className="sw-rehearsal" aria-label={t('Rehearsal')} data-testid="rehearsal-offer">
      <p>
        {rich(
          '{count, plural, one {# step} other {# steps}} cannot run here yet: {b}. A rehearsal runs all others and takes an answer for {count, plural, one {this one} other {these}}.',
          { count: blocked.length, b: <strong>{namesOf(blocked)}</strong> },
        )}
      </p>
      <Button size="compact-sm" onClick={() => session.setOn(true)} data-testid="rehearse">
        {t('Rehearse…')}
      </Button>
    </section>
  );
}

const MOST_NAMED = 4;

function namesOf(needs: readonly RehearsalNeed[]): string {
  const named = needs.slice(0, MOST_NAMED).map(({ part }) => part.name);
  const more = needs.length - named.length;
  return more === 0
    ? named.join(', ')
    : t('{named} and {more} more', { named: named.join(', '), more });
}

function Answers(props: { readonly session: RehearsalSession }) {
  const { session } = props;
  return (
    <section className="sw-rehearsal" aria-label={t('Rehearsal')} data-testid="rehearsal">
      <div className="sw-rehearsal-head">
        <h3 className="sw-section-title">{t('Answers of the rehearsal')}</h3>
        <span className="sw-faint">{t('Kept beside the input, never in the spec.')}</span>
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => session.setOn(false)}
          data-testid="rehearse-off"
        >
          {t('Run without answers')}
        </Button>
      </div>
      {session.needs.length === 0 && <p className="sw-faint">{t('Every step runs by itself.')}</p>}
      <ul className="sw-rehearsal-list">
        {session.needs.map((need) => (
          <Answer
            key={partId(need.part)}
            need={need}
            draft={session.draftOf(need)}
            onDraft={(draft) => session.answer(need, draft)}
          />
        ))}
      </ul>
      {session.others.length > 0 && (
        <NativeSelect
          size="xs"
          className="sw-rehearsal-more"
          aria-label={t('Answer for another step')}
          value=""
          data={[
            { value: '', label: t('Answer for another step…') },
            ...session.others.map(({ part }) => ({ value: partId(part), label: part.name })),
          ]}
          onChange={(event) => {
            const id = event.currentTarget.value;
            const chosen = session.others.find(({ part }) => partId(part) === id);
            if (chosen !== undefined) session.answer(chosen, proposed(chosen));
          }}
          data-testid="rehearse-other"
        />
      )}
    </section>
  );
}

function choicesOf({ part, pinned, blocking }: RehearsalNeed) {
  const kept = sentOf(pinned).length;
  const count =
    kept < pinned.length
      ? t('{kept} of {count} items', { kept, count: pinned.length })
      : t('{count, plural, one {# item} other {# items}}', { count: pinned.length });
  return [
    ...(pinned.length > 0
      ? [{ value: 'pinned', label: t('Pinned data: {count}', { count }) }]
      : []),
    { value: 'mocked', label: t('A mock: items stated here') },
    ...(part.runs === 'agent' || part.runs === 'tool'
      ? [{ value: 'recorded', label: t('A recorded answer') }]
      : []),
    { value: 'run', label: blocking ? t('No answer') : t('No answer: it runs') },
  ];
}

const CHOICES: readonly AnswerChoice[] = ['run', 'pinned', 'mocked', 'recorded'];

function Answer(props: {
  readonly need: RehearsalNeed;
  readonly draft: AnswerDraft;
  readonly onDraft: (draft: AnswerDraft) => void;
}) {
  const { need, draft, onDraft } = props;
  const { part, why, blocking } = need;
  const answer = answerOf(need, draft);
  const problem = typeof answer === 'string' ? answer : null;
  const choose = (value: string): void => {
    const choice = CHOICES.find((known) => known === value);
    if (choice !== undefined) onDraft({ ...draft, choice });
  };
  return (
    <li data-testid={`answer-${part.key}`}>
      <span className="sw-rehearsal-name">
        <strong title={part.name}>{part.name}</strong>
        {part.kind === 'tool' && <Badge>{t('tool')}</Badge>}
        {why !== '' && <Badge tone={blocking ? 'danger' : 'warning'}>{why}</Badge>}
      </span>
      <NativeSelect
        size="xs"
        aria-label={t('Answer of {name}', { name: part.name })}
        value={draft.choice}
        data={choicesOf(need)}
        onChange={(event) => choose(event.currentTarget.value)}
        data-testid={`answer-choice-${part.key}`}
      />
      {draft.choice === 'mocked' && (
        <div className="sw-rehearsal-own">
          <Textarea
            size="xs"
            aria-label={t('Items of {name}', { name: part.name })}
            classNames={{ input: 'sw-mono' }}
            value={draft.text}
            error={problem}
            onChange={(event) => onDraft({ ...draft, text: event.currentTarget.value })}
            autosize
            minRows={1}
            maxRows={8}
            data-testid={`answer-items-${part.key}`}
          />
          <ReadFields need={need} onAdd={(text) => onDraft({ ...draft, text })} text={draft.text} />
        </div>
      )}
      {draft.choice === 'recorded' && (
        <TextInput
          size="xs"
          className="sw-rehearsal-own"
          aria-label={t('Recording for {name}', { name: part.name })}
          placeholder={t('Name of a recording of the project')}
          value={draft.recording}
          error={draft.recording === '' ? null : problem}
          onChange={(event) => onDraft({ ...draft, recording: event.currentTarget.value })}
        />
      )}
    </li>
  );
}

/** Completes stated items with what later steps read of them. */
function ReadFields(props: {
  readonly need: RehearsalNeed;
  readonly text: string;
  readonly onAdd: (text: string) => void;
}) {
  const { reads } = props.need.part;
  return reads.length === 0 ? null : (
    <span className="sw-rehearsal-reads">
      <span className="sw-faint">{t('Later steps read')}</span>
      {reads.map((path) => (
        <Button
          key={path.join('\n')}
          size="compact-xs"
          variant="default"
          title={t('Put it into the items')}
          onClick={() => props.onAdd(withReadField(props.text, path))}
        >
          {path.join('.')}
        </Button>
      ))}
    </span>
  );
}
