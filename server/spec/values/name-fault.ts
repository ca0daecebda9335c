const MAX_NAME = 200;

/** Why a text cannot be a name; undefined when it can. */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'A name cannot be empty.';
  if (name !== name.trim()) return 'A name cannot begin or end with a blank.';
  if (/\p{Cc}/u.test(name)) return 'A name cannot have line breaks or control characters.';
  if (name.length > MAX_NAME) return `A name can have at most ${MAX_NAME} characters.`;
  return undefined;
}
