import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { MAIL_PASSWORD, startMailServer } from '../../../test/support/mail-server.ts';
import type { Mail, MailServer } from '../../handlers/mail-port.ts';
import { createMail } from './mail.ts';

const received = await startMailServer();
const silent = createServer(() => undefined);
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  await received.close();
  silent.close();
});

const OPEN = { allowedDomains: [], deniedDomains: [] };
const NO_SIGNAL = new AbortController().signal;
const { port } = received.credential as { port: string };
const HERE: MailServer = {
  ...{ host: '127.0.0.1', port: Number(port), secure: 'none' },
  ...{ user: 'desk', password: MAIL_PASSWORD },
};
const MAIL: Mail = {
  ...{ from: 'a@example.com', to: 'b@example.com', cc: '', bcc: '', replyTo: '' },
  ...{ subject: 'S', text: 'T', files: [] },
};

describe('a mail of a step', () => {
  it('goes to hosts that the policy allows', async () => {
    const denied = { ...OPEN, deniedDomains: ['127.0.0.1'] };
    await expect(createMail(denied, NO_SIGNAL)(HERE, MAIL)).rejects.toThrow('denied_domains');
    const metadata = createMail(OPEN, NO_SIGNAL)({ ...HERE, host: '169.254.169.254' }, MAIL);
    await expect(metadata).rejects.toThrow('keys of its own');
  });

  it('fails with what the server says', async () => {
    const wrong = createMail(OPEN, NO_SIGNAL)({ ...HERE, password: 'wrong' }, MAIL);
    await expect(wrong).rejects.toThrow('Invalid login');
  });

  it('is not sent in the open where the server offers no TLS', async () => {
    const asked = createMail(OPEN, NO_SIGNAL)({ ...HERE, secure: 'starttls' }, MAIL);
    await expect(asked).rejects.toThrow('STARTTLS');
    await expect(createMail(OPEN, NO_SIGNAL)({ ...HERE, secure: 'tls' }, MAIL)).rejects.toThrow();
    expect(received.received).toEqual([]);
  });

  it('has files up to a size', async () => {
    const bytes = new Uint8Array(17 * 1024 * 1024);
    const file = { name: 'a', type: 'application/octet-stream', bytes };
    const large = createMail(OPEN, NO_SIGNAL)(HERE, { ...MAIL, files: [file, file] });
    await expect(large).rejects.toThrow('more than 32 MiB');
  });

  it('ends with the reason of the run when that is given up', async () => {
    const ended = new AbortController();
    const { port: nobody } = silent.address() as AddressInfo;
    const sent = createMail(OPEN, ended.signal)({ ...HERE, port: nobody }, MAIL);
    setTimeout(() => ended.abort(new Error('given up')), 50);
    await expect(sent).rejects.toThrow('given up');
  });
});
