import type { FastifyInstance } from 'fastify';
import {
  moveSecretsBody,
  passphraseBody,
  type SecretList,
  type SecretPlace,
  type SecretPlaces,
  setPassphraseBody,
} from '../contract/gateway/secrets.ts';
import { Refusal } from '../kernel/refusal.ts';
import { refuseAtGateway } from './gateway-errors.ts';

/** The stored secrets of this computer, as the window looks after them; no answer holds a value. */
export interface StoredSecretsDesk {
  list(): Promise<SecretList>;
  places(): Promise<SecretPlaces>;
  /** @throws Refusal */
  move(name: string, to: SecretPlace): Promise<void>;
  /** @throws Refusal */
  unlockKeychain(): Promise<void>;
  /** @throws Refusal passphrase_wrong */
  unlockFile(passphrase: string): Promise<void>;
  lockFile(): void;
  /** @throws Refusal passphrase_wrong */
  setPassphrase(passphrase: string, current: string | undefined): Promise<void>;
  /** @throws Refusal passphrase_wrong */
  removePassphrase(current: string): Promise<void>;
}

async function moveEach(desk: StoredSecretsDesk, names: readonly string[], to: SecretPlace) {
  const results = [];
  for (const name of names) {
    try {
      await desk.move(name, to);
      results.push({ name, error: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      results.push({ name, error: { code: error.code, message: error.message } });
    }
  }
  return { results };
}

/** Shows where secrets are kept, moves them, opens and locks the places. */
export function registerSecretRoutes(app: FastifyInstance, desk: StoredSecretsDesk): void {
  const path = '/gateway/secrets';
  app.get(path, () => desk.list());
  app.post(`${path}/move`, async (request) => {
    const body = moveSecretsBody.safeParse(request.body);
    if (!body.success) throw refuseAtGateway('request_invalid');
    return moveEach(desk, body.data.names, body.data.to);
  });
  app.post(`${path}/keychain/unlock`, async () => {
    await desk.unlockKeychain();
    return desk.places();
  });
  app.post(`${path}/file/unlock`, async (request) => {
    const body = passphraseBody.safeParse(request.body);
    if (!body.success) throw refuseAtGateway('passphrase_wrong');
    await desk.unlockFile(body.data.passphrase);
    return desk.places();
  });
  app.post(`${path}/file/lock`, async () => {
    desk.lockFile();
    return desk.places();
  });
  app.put(`${path}/file/passphrase`, async (request) => {
    const body = setPassphraseBody.safeParse(request.body);
    if (!body.success) throw refuseAtGateway('passphrase_refused');
    await desk.setPassphrase(body.data.passphrase, body.data.current);
    return desk.places();
  });
  app.post(`${path}/file/passphrase/remove`, async (request) => {
    const body = passphraseBody.safeParse(request.body);
    if (!body.success) throw refuseAtGateway('passphrase_wrong');
    await desk.removePassphrase(body.data.passphrase);
    return desk.places();
  });
}
