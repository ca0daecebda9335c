import { countText } from '../../ui/count-text.ts';

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
    ...(use.here ? ['This window shows it.'] : []),
    ...(running !== null && running > 0
      ? [`${countText(running, 'run')} of its platform ${running === 1 ? 'is' : 'are'} at work.`]
      : []),
    ...(blocked !== null && blocked > 0
      ? [
          `${countText(blocked, 'run')} of its platform ${blocked === 1 ? 'waits' : 'wait'} for a person.`,
        ]
      : []),
    ...(use.hasPolicy ? ['A policy is stored for it.'] : []),
    ...(roles.length > 0 ? [`The access of ${roles.join(' and ')} names it.`] : []),
  ];
}
