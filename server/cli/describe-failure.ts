import { findingsIn } from '../contract/platform/findings.ts';
import { describeRefusal } from '../host/host-refusal.ts';
import { PlatformError } from '../platform-client/platform-error.ts';

function findings(details: Readonly<Record<string, unknown>>): string[] {
  return findingsIn(details).map(
    ({ code, message, path }) => `${code}${path === null ? '' : ` at ${path}`}: ${message}`,
  );
}

function advice(error: PlatformError): string[] {
  if (error.family === 'authentication') {
    return ['Save a key with "specwright config profile set", or set SERV_API_KEY.'];
  }
  if (error.family === 'forbidden' && typeof error.details['required_scope'] === 'string') {
    return [`The key lacks the scope ${error.details['required_scope']}.`];
  }
  return [];
}

/** A failed call or a refused start as lines for a person; undefined for a defect of the program. */
export function describeFailure(error: unknown): readonly string[] | undefined {
  if (error instanceof PlatformError) {
    const said = error.code === undefined ? error.message : `${error.code}: ${error.message}`;
    return [said.replaceAll(/(?<!\s)\s*\n\s*/g, ' '), ...findings(error.details), ...advice(error)];
  }
  const refused = describeRefusal(error);
  return refused === undefined ? undefined : [refused.message];
}
