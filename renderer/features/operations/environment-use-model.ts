import { t } from '../../../preload/texts/t.ts';
import { listText } from '../../ui/list-text.ts';

/** What an environment is used for; null where it is not told. */
export interface EnvironmentUse {
  /** This window shows it. */
  readonly here: boolean;
  readonly running: number | null;
  readonly blocked: number | null;
  readonly hasPolicy: boolean;
  /** Roles whose list of environments names it. */
  readonly roles: readonly string[];
}

/** What whoever removes an environment must know, a line for each; nothing where nobody uses it. */
export function wordsOfUse(use: EnvironmentUse): readonly string[] {
  const { running, blocked, roles } = use;
  return [
    ...(use.here ? [t('This window shows it.')] : []),
    ...(running !== null && running > 0
      ? [
          t(
            '{count, plural, one {# run} other {# runs}} of its platform {count, plural, one {is} other {are}} at work.',
            { count: running },
          ),
        ]
      : []),
    ...(blocked !== null && blocked > 0
      ? [
          t(
            '{count, plural, one {# run} other {# runs}} of its platform {count, plural, one {waits} other {wait}} for a person.',
            { count: blocked },
          ),
        ]
      : []),
    ...(use.hasPolicy ? [t('A policy is stored for it.')] : []),
    ...(roles.length > 0 ? [t('The access of {roles} names it.', { roles: listText(roles) })] : []),
  ];
}
