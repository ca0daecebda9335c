// Certificates of a test's own authority, made by the openssl of the machine.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];

/** Certificates of any day are made by `openssl ca` alone, which keeps a book. */
const CONFIGURATION = `[ca]
default_ca = own
[own]
database = index
serial = serial
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
default_md = sha256
unique_subject = no
policy = any
[any]
commonName = supplied
`;

/** A certificate with its private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Asked {
  /** As openssl's subjectAltName says them. */
  readonly names?: string;
  /** Over already. */
  readonly expired?: boolean;
}

/** An authority that vouches for servers and clients of a test. */
export interface Authority {
  /** Its certificate as PEM. */
  readonly cert: string;
  issue(asked?: Asked): Certificate;
  close(): void;
}

/** Makes an authority that nobody else knows. */
export function makeAuthority(): Authority {
  const folder = mkdtempSync(path.join(tmpdir(), 'specwright-ca-'));
  const at = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
  openssl(
    ...['req', '-x509', ...NEW_KEY, '-keyout', 'ca.key', '-out', 'ca.pem'],
    ...['-subj', '/CN=An authority of a test', '-days', '30'],
  );
  writeFileSync(at('index'), '');
  writeFileSync(at('serial'), '02\n');
  writeFileSync(at('ca.cnf'), CONFIGURATION);
  let made = 0;
  return {
    cert: readFileSync(at('ca.pem'), 'utf8'),
    issue({ names = 'DNS:localhost,IP:127.0.0.1', expired = false } = {}) {
      made += 1;
      const [key, csr, cert, ext] = ['key', 'csr', 'pem', 'ext'].map((kind) => `${made}.${kind}`);
      writeFileSync(
        at(`${ext}`),
        `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`,
      );
      openssl(
        'req',
        ...NEW_KEY,
        '-keyout',
        `${key}`,
        '-out',
        `${csr}`,
        '-subj',
        `/CN=peer ${made}`,
      );
      const dates = expired
        ? ['-startdate', '20200101000000Z', '-enddate', '20200201000000Z']
        : ['-days', '10'];
      openssl(
        ...['ca', '-batch', '-notext', '-config', 'ca.cnf', '-in', `${csr}`],
        ...['-out', `${cert}`, '-extfile', `${ext}`, ...dates],
      );
      return { cert: readFileSync(at(`${cert}`), 'utf8'), key: readFileSync(at(`${key}`), 'utf8') };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
