const MOST_BYTES = 1_048_576;

/** Reads an answer no further than its limit. */
async function boundedBody(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > MOST_BYTES) throw new TypeError('the answer of the provider is too long');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Asks a provider; what comes back is read within bounds. */
export async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(url, options);
  const body = await boundedBody(answer);
  const { status, headers } = answer;
  return new Response(status === 204 ? null : body, { status, headers });
}
