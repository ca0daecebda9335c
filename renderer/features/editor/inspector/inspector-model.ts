import { t } from '../../../../preload/texts/t.ts';
import { flowSettings } from '../../../../server/contract/flow.ts';
import type { Form, FormEdit } from '../../../../server/spec/language/inspect/form.ts';
import { formEdit } from '../../../../server/spec/language/inspect/form-edit.ts';
import { formAt } from '../../../../server/spec/language/inspect/inspect.ts';
import type { OpenDocument } from '../../../../server/spec/language/open-document.ts';
import { fieldsReadOf } from '../../../../server/spec/reports/read-fields.ts';
import type { Path } from '../../../../server/spec/values/path.ts';
import type { FormEditAnswer, Inspected, InspectedPlace, Variable } from '../spec-protocol.ts';
import { placedEdits } from '../text-range.ts';

/** The path of the place at a line and column; before a line's first letter, that of the letter. */
function pathOf({ source }: OpenDocument, line: number, column: number): Path {
  const { text } = source;
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  const lead = /^[ \t]*(?:- +)*/.exec(text.slice(start, start + 400))?.[0].length ?? 0;
  return source.pathAt(start + Math.max(lead, column - 1));
}

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

function written(segments: readonly string[]): string {
  return segments.map((one) => (PLAIN_KEY.test(one) ? `.${one}` : `["${one}"]`)).join('');
}

/** What a text of an imported workflow may read: the item itself, and what other steps gave. */
function variablesOf(document: OpenDocument, form: Form | undefined): readonly Variable[] {
  const { spec } = document.validation();
  const flow = flowSettings.safeParse(spec?.metadata?.['flow']);
  if (spec === undefined || form === undefined || !flow.success) return [];
  const own = form.path.at(-1);
  const fields = fieldsReadOf(spec);
  if (flow.data.source === 'dify') {
    return Object.entries(flow.data.steps).flatMap(([key, { id, name }]) =>
      key === own || id === undefined
        ? []
        : (fields(key).length === 0 ? [['text']] : fields(key)).map((path) => ({
            insert: `{{#${[id, ...path].join('.')}#}}`,
            about: name,
          })),
    );
  }
  const others = Object.entries(flow.data.steps).filter(([key]) => key !== own);
  return [
    { insert: '{{ $json }}', about: t('the item') },
    ...others.flatMap(([key, { name }]) =>
      [[], ...fields(key)].map((path) => ({
        insert: `{{ $('${name.replaceAll("'", "\\'")}').item.json${written(path)} }}`,
        about: name,
      })),
    ),
    { insert: '{{ $now }}', about: t('the time of the run') },
  ];
}

/** What the inspector shows of a place. */
export function inspectPlace(document: OpenDocument, at: InspectedPlace): Inspected {
  const path = 'path' in at ? at.path : pathOf(document, at.line, at.column);
  const form = formAt(document, path);
  return {
    form: form ?? null,
    variables: variablesOf(document, form),
    readable: document.parsed.value !== undefined,
  };
}

/** The edits of a change of a form as the editor takes them. */
export function formEditAnswer(document: OpenDocument, edit: FormEdit): FormEditAnswer {
  const made = formEdit(document, edit);
  return 'problem' in made ? made : { ...made, edits: placedEdits(document.source, made.edits) };
}
