import { refuse } from '../../contract/studio/errors.ts';

/** The refusal of a body whose text is not what it has to be. */
export function noDocument(reason: string) {
  const error = { loc: ['body', 'text'], msg: reason, type: 'value_error' };
  return refuse('request_invalid', { details: { errors: [error] } });
}
