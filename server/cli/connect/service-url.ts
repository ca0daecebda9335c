import { withoutTrailingSlashes } from '../../kernel/trailing-slashes.ts';
import { CommandFailure } from '../command-failure.ts';

/**
 * A platform's address without a slash at its end.
 * @throws CommandFailure unless it is an http or https URL without credentials.
 */
export function serviceUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new CommandFailure('The service URL must be an http or https URL without credentials.');
  }
  return withoutTrailingSlashes(given);
}
