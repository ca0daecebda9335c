function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Store → number of its newest migration, out of what the services noted; null where they did not. */
export function readSchemas(text: string): Readonly<Record<string, number>> | null {
  const noted = parsed(text);
  const { versions }: { readonly versions: unknown } = {
    versions: null,
    ...(typeof noted === 'object' ? noted : {}),
  };
  const last: unknown = Array.isArray(versions) ? versions.at(-1) : null;
  const { schemas } = { schemas: null, ...(typeof last === 'object' ? last : {}) };
  if (typeof schemas !== 'object' || schemas === null) return null;
  const known = Object.entries<unknown>(schemas).flatMap(([store, number]) =>
    typeof number === 'number' ? [[store, number] as const] : [],
  );
  return Object.fromEntries(known);
}
