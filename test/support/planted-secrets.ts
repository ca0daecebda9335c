// Secrets of all shapes, and the search for them in every file of a folder.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Each door has its own, so that a leak names the door. */
export function plants(door: string): {
  readonly text: string;
  readonly secrets: readonly string[];
} {
  const own = `${door}Q7zK4vT9`;
  const secrets = [
    `sk-${own}abcdefghijkl`,
    `ghp_${own.padEnd(36, 'A')}`,
    `AKIA${own.toUpperCase().padEnd(16, 'X').slice(0, 16)}`,
    `hunter${own}`,
    `sid${own}cookie`,
    `pg${own}pass`,
    `curl${own}pass`,
    `id${own}by`,
    `hdr${own}key`,
    `ado${own}pwd`,
    `bear${own}er`,
    `tok${own}en`,
  ];
  const [sk, gh, aws, pw, cookie, pg, curl, by, header, ado, bearer, token] = secrets;
  const text = [
    `use ${sk} and ${gh} or ${aws}.`,
    `Log in, password: ${pw}.`,
    `postgres://ada:${pg}@db.example/shop`,
    `curl -u ada:${curl} -H 'X-Api-Key: ${header}' https://x.example`,
    `CREATE USER ada IDENTIFIED BY '${by}'`,
    `Server=db;User Id=ada;Password=${ado};`,
    `Authorization: Bearer ${bearer}`,
    `{"access_token": "${token}"}`,
    `Cookie: session=${cookie}`,
  ].join('\n');
  return { text, secrets };
}

export const planted = (door: string): string => plants(door).text;

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  );
}

/** `file: secret` of every planted secret that stands in the bytes or the name of a file. */
export function leaksIn(folder: string, doors: readonly string[]): string[] {
  const secrets = doors.flatMap((door) => plants(door).secrets);
  return filesOf(folder).flatMap((name) => {
    const text = name + readFileSync(path.join(folder, name), 'latin1');
    return secrets.filter((secret) => text.includes(secret)).map((found) => `${name}: ${found}`);
  });
}
