import { makeBootstrapToken } from '../../studio/host/bootstrap-token.ts';
import { printJson, sendText } from '../output.ts';
import { type OperatorOptions, onStudioStore } from './studio-store.ts';

/** `studio bootstrap-token`: the token alone on standard output; it is shown this once. */
export async function bootstrapToken(
  options: OperatorOptions & { readonly ttl: string },
): Promise<number> {
  return onStudioStore(options, async (deps) => {
    const token = await makeBootstrapToken(deps, Number(options.ttl), Date.now());
    if (options.json) printJson({ token });
    else sendText(`${token}\n`);
    return 0;
  });
}
