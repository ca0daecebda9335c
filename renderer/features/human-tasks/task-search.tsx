import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { SingleKey } from '../../ui/single-key.tsx';

/** Narrows the list of tasks to those with some words. Escape gives the keys back to the list. */
export function TaskSearch(props: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly onChange: (words: string) => void;
}) {
  return (
    <TextInput
      ref={props.field}
      size="xs"
      className="sw-inbox-search"
      leftSection={<IconSearch size={13} aria-hidden />}
      rightSection={<SingleKey of="search.go" />}
      placeholder={t('Search tasks')}
      aria-label={t('Search tasks')}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          props.onChange('');
          event.currentTarget.blur();
        }
      }}
      data-testid="task-search"
    />
  );
}
