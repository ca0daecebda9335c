import type { RunsElsewhere } from '../data/remote-runs.ts';

/** Says where a run goes, and with what, before anything leaves this computer. */
export function RunsAt({ elsewhere }: { readonly elsewhere: RunsElsewhere }) {
  const { name, address } = elsewhere;
  return address === null ? (
    <span data-testid="runs-at">
      <strong>{name}</strong> has no run platform: nothing can be run on this connection.
    </span>
  ) : (
    <span data-testid="runs-at">
      On <strong>{name}</strong>, <code>{address}</code>.{' '}
      <span className="sw-faint">
        The text of this draft and the input go there; files and functions of the project stay here.
      </span>
    </span>
  );
}
