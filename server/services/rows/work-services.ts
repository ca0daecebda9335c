import type { Service } from '../service.ts';
import { choice, fill, filled, get, merged, same, some, within } from '../template.ts';

const DONE = { success: true };

export const TWILIO: Service = {
  name: 'Twilio',
  type: 'n8n-nodes-base.twilio',
  versions: [1, 1],
  server: 'https://api.twilio.com/2010-04-01/Accounts/{@user}',
  auth: { twilioApi: { as: 'basic' } },
  message: ['message'],
  resource: 'sms',
  operation: { sms: 'send', call: 'make' },
  rows: {
    'sms/send': {
      call: 'POST /Messages.json',
      form: merged(
        choice('toWhatsapp', 'false', {
          false: { From: '$from', To: '$to' },
          true: { From: fill('whatsapp:{from}'), To: fill('whatsapp:{to}') },
        }),
        { Body: '$message', StatusCallback: filled('options.statusCallback') },
      ),
    },
  },
};

export const SEND_GRID: Service = {
  name: 'SendGrid',
  type: 'n8n-nodes-base.sendGrid',
  versions: [1, 1],
  server: 'https://api.sendgrid.com/v3',
  auth: { sendGridApi: { as: 'bearer' } },
  message: ['errors.0.message'],
  resource: 'list',
  operation: { list: 'create', mail: 'send', contact: 'upsert' },
  rows: {
    'mail/send': {
      call: 'POST /mail/send',
      json: {
        personalizations: [{ to: [{ email: '$toEmail' }], subject: '$subject' }],
        from: { email: '$fromEmail', name: filled('fromName') },
        content: [{ type: get('contentType', { or: 'text/plain' }), value: '$contentValue' }],
      },
      answer: { messageId: '@headers.x-message-id' },
      fixed: { dynamicTemplate: false },
    },
  },
};

export const CLICK_UP: Service = {
  name: 'ClickUp',
  type: 'n8n-nodes-base.clickUp',
  versions: [1, 1],
  server: 'https://api.clickup.com/api/v2',
  auth: {
    clickUpApi: { as: 'header', name: 'Authorization' },
    clickUpOAuth2Api: { as: 'bearer' },
  },
  authBy: {
    setting: 'authentication',
    or: 'accessToken',
    of: { accessToken: 'clickUpApi', oAuth2: 'clickUpOAuth2Api' },
  },
  message: ['err'],
  resource: 'task',
  operation: { task: 'create', comment: 'create' },
  ignores: ['team', 'space', 'folder', 'folderless'],
  rows: {
    'task/create': {
      call: 'POST /list/{list}/task',
      json: merged(
        same('name'),
        within('additionalFields', same('content', 'assignees', 'tags', 'status', 'priority')),
      ),
    },
    'task/get': { call: 'GET /task/{id}' },
    'task/delete': { call: 'DELETE /task/{id}', answer: DONE },
  },
};

export const ASANA: Service = {
  name: 'Asana',
  type: 'n8n-nodes-base.asana',
  versions: [1, 1],
  server: 'https://app.asana.com/api/1.0',
  auth: { asanaApi: { as: 'bearer' }, asanaOAuth2Api: { as: 'bearer' } },
  authBy: {
    setting: 'authentication',
    or: 'accessToken',
    of: { accessToken: 'asanaApi', oAuth2: 'asanaOAuth2Api' },
  },
  message: ['errors.0.message'],
  resource: 'task',
  operation: { task: 'create', project: 'get', user: 'get' },
  rows: {
    'task/create': {
      call: 'POST /tasks',
      json: {
        data: merged(
          same('workspace', 'name'),
          within('otherProperties', {
            ...same('assignee', 'assignee_status', 'completed', 'due_on', 'liked', 'notes'),
            projects: '$projects',
          }),
        ),
      },
      answer: '@answer.data',
    },
    'task/get': { call: 'GET /tasks/{id}', answer: '@answer.data' },
    'task/delete': { call: 'DELETE /tasks/{id}', answer: DONE },
  },
};

export const STRIPE: Service = {
  name: 'Stripe',
  type: 'n8n-nodes-base.stripe',
  versions: [1, 1],
  server: 'https://api.stripe.com/v1',
  auth: { stripeApi: { as: 'bearer' } },
  message: ['error.message'],
  resource: 'balance',
  operation: { balance: 'get', customer: 'get', charge: 'get' },
  rows: {
    'balance/get': { call: 'GET /balance' },
    'customer/get': { call: 'GET /customers/{customerId}' },
    'customer/delete': { call: 'DELETE /customers/{customerId}' },
    'customer/create': {
      call: 'POST /customers',
      form: merged(
        some({ name: filled('name') }),
        within('additionalFields', same('description', 'email', 'phone')),
      ),
    },
    'charge/get': { call: 'GET /charges/{chargeId}' },
  },
};
