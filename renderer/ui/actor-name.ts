/** What a platform calls those who come without a name of their own. */
const NAMELESS: Readonly<Record<string, string>> = {
  anonymous: 'a person without a name',
  embedded: 'this computer',
};

/** Who did something, in words. */
export function actorName(actor: string | null): string {
  return NAMELESS[actor ?? 'anonymous'] ?? actor ?? '';
}
