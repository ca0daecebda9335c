import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSearch, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { useSingleKeys } from '../../app/use-single-keys.ts';
import { SingleKey } from '../../ui/single-key.tsx';

function foundText(found: { sections: number; count: number; at: number }): string {
  const { sections, count, at } = found;
  if (at >= 0) {
    return t('{at} of {count}', { at: at + 1, count });
  }
  // A folded choice or the name of a field has no place of its own.
  return count === 0
    ? t('{sections, plural, =0 {Nothing} one {# section} other {# sections}}', { sections })
    : t('{count, plural, one {# place} other {# places}}', { count });
}

/** The field that looks through the settings. Enter goes from place to place, Escape empties it. */
export function SettingsSearch(props: {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** How many sections have the words, and in how many places that can be gone to. */
  readonly sections: number;
  readonly count: number;
  /** The place that was gone to; -1 for none. */
  readonly at: number;
  readonly onStep: (by: 1 | -1) => void;
}) {
  const { text, onText, count, onStep } = props;
  const field = useRef<HTMLInputElement>(null);
  useSingleKeys({ 'search.go': () => field.current?.focus() });
  const isAsked = text.trim() !== '';
  return (
    <search className="sw-settings-search" aria-label={t('Find a setting')}>
      <TextInput
        ref={field}
        type="text"
        aria-label={t('Find a setting')}
        placeholder={t('Find a setting')}
        leftSection={<IconSearch size={15} aria-hidden />}
        rightSection={
          isAsked ? (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('Clear the search')}
              onClick={() => {
                onText('');
                field.current?.focus();
              }}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          ) : (
            <SingleKey of="search.go" />
          )
        }
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) {
            return;
          }
          if (event.key === 'Enter') {
            event.preventDefault();
            onStep(event.shiftKey ? -1 : 1);
          }
          if (event.key === 'Escape' && isAsked) {
            event.preventDefault();
            event.stopPropagation();
            onText('');
          }
        }}
        data-testid="settings-search"
      />
      {isAsked && (
        <>
          <span className="sw-faint" role="status" data-testid="settings-found">
            {foundText(props)}
          </span>
          <ActionIcon.Group>
            <ActionIcon
              variant="default"
              aria-label={t('Place before')}
              disabled={count === 0}
              onClick={() => onStep(-1)}
            >
              <IconChevronUp size={15} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={t('Next place')}
              disabled={count === 0}
              onClick={() => onStep(1)}
            >
              <IconChevronDown size={15} aria-hidden />
            </ActionIcon>
          </ActionIcon.Group>
        </>
      )}
    </search>
  );
}
