import type { Service } from '../service.ts';
import { choice, fill, get, type Template } from '../template.ts';

const AUTHOR: Template = choice('postAs', 'person', {
  person: fill('urn:li:person:{person}'),
  organization: fill('urn:li:organization:{organization}'),
});

const SHARED: Template = choice('shareMediaCategory', 'NONE', {
  NONE: { shareCommentary: { text: '$text' }, shareMediaCategory: 'NONE' },
  ARTICLE: {
    shareCommentary: { text: '$text' },
    shareMediaCategory: 'ARTICLE',
    media: [
      {
        status: 'READY',
        originalUrl: '$originalUrl',
        title: { text: get('additionalFields.title', { or: '' }) },
        description: { text: get('additionalFields.description', { or: '' }) },
      },
    ],
  },
});

/** LinkedIn's posts of text and links. */
export const LINKED_IN: Service = {
  name: 'LinkedIn',
  type: 'n8n-nodes-base.linkedIn',
  versions: [1, 1],
  server: 'https://api.linkedin.com/v2',
  auth: {
    linkedInOAuth2Api: { as: 'bearer' },
    linkedInCommunityManagementOAuth2Api: { as: 'bearer' },
  },
  authBy: {
    setting: 'authentication',
    or: 'standard',
    of: {
      standard: 'linkedInOAuth2Api',
      communityManagement: 'linkedInCommunityManagementOAuth2Api',
    },
  },
  headers: { 'x-restli-protocol-version': '2.0.0' },
  message: ['message'],
  resource: 'post',
  operation: { post: 'create' },
  rows: {
    'post/create': {
      call: 'POST /ugcPosts',
      json: {
        author: AUTHOR,
        lifecycleState: 'PUBLISHED',
        specificContent: { 'com.linkedin.ugc.ShareContent': SHARED },
        visibility: {
          'com.linkedin.ugc.MemberNetworkVisibility': get('additionalFields.visibility', {
            or: 'PUBLIC',
          }),
        },
      },
      answer: { urn: '@answer.id' },
    },
  },
};
