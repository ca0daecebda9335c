import type { DocumentEdit } from '../../spec/edit/edit-value.ts';
import type { Path } from '../../spec/values/path.ts';
import { type DraftElement, mapAt } from './draft-steps.ts';
import type { Fix, FixCase } from './fix-types.ts';

const PROVIDERS = ['anthropic', 'openai', 'google', 'ollama', 'openai-compatible'];

function agentsOf(element: DraftElement): readonly Path[] {
  const named = element.steps.flatMap(({ kind, ref }) =>
    kind === 'agent' ? [['components', 'agents', ref]] : [],
  );
  const alone = element.components.filter(([, section]) => section === 'agents');
  return [...named, ...alone];
}

/**
 * The agents that do the job of the element, else those that it is attached to; the root agent when
 * the draft has no workflow.
 */
export function agents({ document, element, hosts }: FixCase): readonly Path[] {
  const found = agentsOf(element);
  const own = found.length > 0 ? found : hosts.flatMap(agentsOf);
  const places: readonly Path[] =
    own.length === 0 && document['workflow'] === undefined ? [['agent']] : own;
  return places.filter((path) => {
    const agent = mapAt(document, path);
    return agent !== undefined && agent['as_agent'] === undefined;
  });
}

function modelEdits({ document }: FixCase, agent: Path, provider: string, name: string) {
  const path = [...agent, 'model'];
  const edits: DocumentEdit[] =
    mapAt(document, path) !== undefined
      ? [
          { op: 'set', path: [...path, 'provider'], value: provider },
          { op: 'set', path: [...path, 'name'], value: name },
        ]
      : [{ op: 'set', path, value: { provider, name } }];
  return edits;
}

export const CHOOSE_MODEL: Fix = {
  id: 'choose_model',
  form(fixCase) {
    const { kind } = fixCase.target;
    if (
      (kind !== 'model_unresolved' && kind !== 'ambiguous_binding') ||
      agents(fixCase).length === 0
    ) {
      return undefined;
    }
    return {
      title: 'Choose the model',
      about: 'The agent calls this model. The key comes from the platform, never from the draft.',
      fields: [
        {
          name: 'provider',
          label: 'Provider',
          help: '',
          initial: 'anthropic',
          kind: 'choice',
          choices: PROVIDERS.map((value) => ({ value, label: value })),
        },
        {
          name: 'name',
          label: 'Model',
          help: 'As the provider names it',
          initial: '',
          kind: 'text',
        },
      ],
    };
  },
  edits(fixCase, values) {
    const name = (values['name'] ?? '').trim();
    const provider = values['provider'] ?? '';
    return name === '' || provider === ''
      ? 'Choose a provider and write the name of the model.'
      : agents(fixCase).flatMap((agent) => modelEdits(fixCase, agent, provider, name));
  },
};

export const KEEP_MESSAGES: Fix = {
  id: 'keep_messages',
  form(fixCase) {
    return fixCase.target.kind !== 'memory' || agents(fixCase).length === 0
      ? undefined
      : {
          title: 'Keep the last messages',
          about: 'The agent sees the newest messages of the run. Nothing is kept between runs.',
          fields: [
            {
              name: 'messages',
              label: 'Messages',
              help: 'How many the agent sees',
              initial: '20',
              kind: 'number',
              most: 1000,
            },
          ],
        };
  },
  edits(fixCase, values) {
    const max_messages = Number(values['messages']);
    return Number.isInteger(max_messages) && max_messages > 0
      ? agents(fixCase).map((agent) => ({
          op: 'set',
          path: [...agent, 'memory'],
          value: { policy: 'sliding_window', max_messages },
        }))
      : 'Write how many messages the agent sees.';
  },
};
