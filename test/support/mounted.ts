// Parts of the window in a document, as somebody uses them by hand and keyboard.
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createElement, type ReactNode } from 'react';
import { afterEach, beforeEach, expect } from 'vitest';
import { setEndpoint } from '../../renderer/data/endpoint.ts';
import { queryClient, routeKey } from '../../renderer/data/query-client.ts';
import type { Role } from '../../server/contract/studio/fields.ts';
import { type AuthMode, getMe } from '../../server/contract/studio/session.ts';
import { type Peer, startPeer } from './peer.ts';

// A limit for what never comes, not for a machine with other work.
configure({ asyncUtilTimeout: 20_000 });

// What a browser has and happy-dom has not: fonts that are loaded, and boxes with a size.
Object.defineProperty(document, 'fonts', { value: new EventTarget() });
for (const side of ['clientHeight', 'clientWidth'])
  Object.defineProperty(HTMLElement.prototype, side, { get: () => 800 });

/** What the part under test asks. */
export let peer: Peer;

/** Each test of the file that calls this gets a document and a gateway of its own. */
export function freshWindows(): void {
  beforeEach(async () => {
    peer = await startPeer();
    setEndpoint({ baseUrl: peer.url, token: 'launch-token' });
  });
  afterEach(async () => {
    // A request that is given up is told as a fault of the network.
    await expect.poll(() => queryClient.isFetching()).toBe(0);
    cleanup();
    queryClient.clear();
    setEndpoint(null);
    await peer.stop();
  });
}

/** What the studio answered before: Ada is signed in, and what she is in a project. */
export function memberOf(
  projectId: string,
  role: Role = 'owner',
  auth_mode: AuthMode = 'oidc',
): readonly [QueryKey, unknown] {
  const project = { id: projectId, name: projectId, role, created_at: '2026-11-21T00:00:00Z' };
  const projects = [{ ...project, binding_state: 'bound', storage_kind: 'attached' }];
  return [routeKey(getMe), { principal_id: 'ada', display_name: 'Ada', auth_mode, projects }];
}

/** Puts an element into the document; `answers` are what the services answered before. */
export function mounted(
  element: ReactNode,
  answers: readonly (readonly [QueryKey, unknown])[] = [],
): UserEvent {
  for (const [key, data] of answers) queryClient.setQueryData(key, data);
  const inside = createElement(ModalsProvider, null, element, createElement(Notifications));
  render(
    createElement(
      QueryClientProvider,
      { client: queryClient },
      // `test`: dialogs and lists are there at once, without their transitions.
      createElement(MantineProvider, { env: 'test' }, inside),
    ),
  );
  return userEvent.setup();
}
