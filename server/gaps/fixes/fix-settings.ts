import type { DocumentEdit } from '../../spec/edit/edit-value.ts';
import type { Path } from '../../spec/values/path.ts';
import { mapAt, valueAt } from './draft-steps.ts';
import { agents } from './fix-agents.ts';
import type { Fix, FixCase, FixField } from './fix-types.ts';

export const REWRITE_AGENT: Fix = {
  id: 'rewrite_agent',
  form(fixCase) {
    const [agent] = agents(fixCase);
    const kinds = [
      'agent_execution_mode_not_carried',
      'run_input',
      'output_formatting_not_carried',
    ];
    if (!kinds.includes(fixCase.target.kind) || agent === undefined) {
      return undefined;
    }
    const now = valueAt(fixCase.document, [...agent, 'system_prompt']);
    return {
      title: 'Rewrite the instructions',
      about: 'The agent calls tools by itself and is told this before every input.',
      fields: [
        {
          name: 'prompt',
          label: 'Instructions',
          help: 'system_prompt of the agent',
          initial: typeof now === 'string' ? now : '',
          kind: 'long_text',
        },
      ],
    };
  },
  edits(fixCase, values) {
    const value = (values['prompt'] ?? '').trim();
    return value === ''
      ? 'Write the instructions of the agent.'
      : agents(fixCase).map((agent) => ({ op: 'set', path: [...agent, 'system_prompt'], value }));
  },
};

/** Settings that a spec holds, with the names that sources have for them. */
const SETTINGS: readonly {
  readonly name: string;
  readonly label: string;
  readonly sources: readonly string[];
  readonly whole: boolean;
  readonly least: number;
  readonly path: Path;
}[] = [
  {
    name: 'temperature',
    label: 'Temperature',
    sources: ['temperature'],
    whole: false,
    least: 0,
    path: ['model', 'temperature'],
  },
  {
    name: 'max_tokens',
    label: 'Most tokens of an answer',
    sources: ['max_tokens', 'maxTokens', 'maxTokensToSample'],
    whole: true,
    least: 1,
    path: ['model', 'max_tokens'],
  },
  {
    name: 'max_iterations',
    label: 'Most calls of the model',
    sources: ['max_iterations', 'maxIterations'],
    whole: true,
    least: 1,
    path: ['strategy', 'max_iterations'],
  },
];

/** The settings that the gap names and that the agents can take. */
function carried(fixCase: FixCase) {
  const { target, document } = fixCase;
  const owners = target.kind === 'parameters_not_carried' ? agents(fixCase) : [];
  const said = SETTINGS.flatMap((setting) => {
    const value = target.settings?.find(({ name }) => setting.sources.includes(name))?.value;
    const fits = value !== undefined && (!setting.whole || Number.isInteger(value));
    return fits ? [{ setting, value: String(value) }] : [];
  });
  // Without a model or a strategy there is nothing that takes its settings.
  const fits = (agent: Path, path: Path): boolean =>
    mapAt(document, [...agent, path[0] ?? '']) !== undefined;
  return said.flatMap(({ setting, value }) => {
    const places = owners.filter((agent) => fits(agent, setting.path));
    return places.length === 0 ? [] : [{ setting, value, places }];
  });
}

export const SET_VALUES: Fix = {
  id: 'set_values',
  form(fixCase) {
    const found = carried(fixCase);
    return found.length === 0
      ? undefined
      : {
          title: 'Carry the settings over',
          about: 'The source has these values. A field that is left empty sets nothing.',
          fields: found.map(
            ({ setting, value }): FixField => ({
              name: setting.name,
              label: setting.label,
              help: setting.path.join('.'),
              initial: value,
              kind: setting.whole ? 'number' : 'text',
            }),
          ),
        };
  },
  edits(fixCase, values) {
    const edits: DocumentEdit[] = [];
    for (const { setting, places } of carried(fixCase)) {
      const text = (values[setting.name] ?? '').trim();
      const value = Number(text);
      if (text === '') {
        continue;
      }
      if (!Number.isFinite(value) || value < setting.least) {
        return `${setting.label}: write a number from ${setting.least} on.`;
      }
      if (setting.whole && !Number.isInteger(value)) {
        return `${setting.label}: write a whole number.`;
      }
      for (const agent of places) {
        edits.push({ op: 'set', path: [...agent, ...setting.path], value });
      }
    }
    return edits.length === 0 ? 'Write at least one value.' : edits;
  },
};

const VARIABLE = /^[A-Z][A-Z0-9_]*$/;

export const NAME_KEY: Fix = {
  id: 'name_key',
  form(fixCase) {
    const fits =
      fixCase.target.kind === 'inline_secret' &&
      agents(fixCase).some((agent) => mapAt(fixCase.document, [...agent, 'model']) !== undefined);
    return fits
      ? {
          title: 'Name the key of the model',
          about:
            'The model is called with the key that the platform keeps under this name. The key itself is stored under Settings, never in the draft.',
          fields: [
            {
              name: 'key',
              label: 'Name of the key',
              help: 'api_key_ref of the model',
              initial: '',
              kind: 'text',
            },
          ],
        }
      : undefined;
  },
  edits(fixCase, values) {
    const value = (values['key'] ?? '').trim();
    return VARIABLE.test(value)
      ? agents(fixCase)
          .filter((agent) => mapAt(fixCase.document, [...agent, 'model']) !== undefined)
          .map((agent) => ({ op: 'set', path: [...agent, 'model', 'extra', 'api_key_ref'], value }))
      : 'Write the name in capitals, such as OPENAI_API_KEY.';
  },
};
