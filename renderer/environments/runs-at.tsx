import type { RunsElsewhere } from '../data/remote-runs.ts';
import { rich } from '../ui/rich.ts';

/** Says where a run goes, and with what, before anything leaves this computer. */
export function RunsAt({ elsewhere }: { readonly elsewhere: RunsElsewhere }) {
  const { name, address } = elsewhere;
  return address === null ? (
    <span data-testid="runs-at">
      {rich('{b} has no run platform: nothing can be run on this connection.', {
        b: <strong>{name}</strong>,
      })}
    </span>
  ) : (
    <span data-testid="runs-at">
      {rich(
        'On {b}, {code}. <part>The text of this draft and the input go there; files and functions of the project stay here.</part>',
        {
          b: <strong>{name}</strong>,
          code: <code>{address}</code>,
          part: (text) => <span className="sw-faint">{text}</span>,
        },
      )}
    </span>
  );
}
