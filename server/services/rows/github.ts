import type { Paging, Row, Service } from '../service.ts';
import { each, filled, get, merged, same, type Template, within } from '../template.ts';

const OWNER = get('owner', { url: '^https?://[^/]+/([-_0-9a-zA-Z]+)' });
const REPOSITORY = get('repository', {
  url: '^https?://[^/]+/[-_0-9a-zA-Z]+/([-_.0-9a-zA-Z]+)',
});

const PAGED: Paging = {
  by: 'page',
  name: 'page',
  size: { name: 'per_page', most: 100 },
  all: { setting: 'returnAll', or: false },
  limit: { setting: 'limit', or: 50 },
};

const labels = (path: string): Template => each(path, '$label');
const people = (path: string): Template => each(path, '$assignee');

const BRANCH = within('additionalParameters', {
  branch: filled('branch.branch'),
  author: '$author',
  committer: '$committer',
});

const FILE = 'contents/{filePath}';

/** A request below a repository, whose owner and name may be given by an address. */
function repo(call: string, row: Omit<Row, 'call'> = {}): Row {
  const [method = '', path = ''] = call.split(' ');
  return {
    ...row,
    names: { owner: OWNER, repository: REPOSITORY },
    call: `${method} /repos/{@owner}/{@repository}${path}`,
  };
}

const ISSUE_FILTERS = within('getRepositoryIssuesFilters', {
  ...same('assignee', 'creator', 'mentioned', 'state', 'sort', 'direction'),
  labels: filled('labels'),
  since: get('since', { as: 'iso', filled: true }),
});

const RELEASE = same('name', 'body', 'draft', 'prerelease', 'target_commitish');

/** GitHub's REST API. */
export const GITHUB: Service = {
  name: 'GitHub',
  type: 'n8n-nodes-base.github',
  versions: [1, 1.1],
  server: 'https://api.github.com',
  auth: { githubApi: { as: 'bearer' }, githubOAuth2Api: { as: 'bearer' } },
  authBy: {
    setting: 'authentication',
    or: 'accessToken',
    of: { accessToken: 'githubApi', oAuth2: 'githubOAuth2Api' },
  },
  message: ['message'],
  resource: 'issue',
  operation: {
    issue: 'create',
    file: 'create',
    release: 'create',
    user: 'getRepositories',
    organization: 'getRepositories',
    workflow: 'dispatch',
  },
  rows: {
    'issue/create': repo('POST /issues', {
      json: {
        ...same('title', 'body'),
        labels: labels('labels'),
        assignees: people('assignees'),
      },
    }),
    'issue/createComment': repo('POST /issues/{issueNumber}/comments', { json: same('body') }),
    'issue/edit': repo('PATCH /issues/{issueNumber}', {
      json: within('editFields', {
        ...same('title', 'body', 'state', 'state_reason'),
        labels: labels('labels'),
        assignees: people('assignees'),
      }),
    }),
    'issue/get': repo('GET /issues/{issueNumber}'),
    'issue/lock': repo('PUT /issues/{issueNumber}/lock', {
      json: { lock_reason: get('lockReason', { or: 'resolved' }) },
    }),
    'file/create': repo(`PUT /${FILE}`, {
      json: merged(
        { message: '$commitMessage', content: get('fileContent', { as: 'base64', or: '' }) },
        BRANCH,
      ),
      fixed: { binaryData: false },
    }),
    'file/edit': {
      ...repo(`PUT /${FILE}`),
      before: [
        {
          call: `GET /repos/{@owner}/{@repository}/${FILE}`,
          query: { ref: get('additionalParameters.branch.branch', { filled: true }) },
        },
      ],
      json: merged(
        {
          message: '$commitMessage',
          content: get('fileContent', { as: 'base64', or: '' }),
          sha: '@before.0.sha',
        },
        BRANCH,
      ),
      fixed: { binaryData: false },
    },
    'file/delete': {
      ...repo(`DELETE /${FILE}`),
      before: [
        {
          call: `GET /repos/{@owner}/{@repository}/${FILE}`,
          query: { ref: get('additionalParameters.branch.branch', { filled: true }) },
        },
      ],
      json: merged({ message: '$commitMessage', sha: '@before.0.sha' }, BRANCH),
    },
    'file/get': {
      by: 'asBinaryProperty',
      or: 'true',
      of: {
        false: repo(`GET /${FILE}`, {
          query: { ref: filled('additionalParameters.reference') },
        }),
        true: repo(`GET /${FILE}`, {
          query: { ref: filled('additionalParameters.reference') },
          headers: { accept: 'application/vnd.github.raw+json' },
          file: get('binaryPropertyName', { or: 'data' }),
        }),
      },
    },
    'file/list': repo(`GET /${FILE}`, {
      query: { ref: filled('additionalParameters.reference') },
    }),
    'repository/get': repo('GET '),
    'repository/getIssues': repo('GET /issues', { query: ISSUE_FILTERS, paging: PAGED }),
    'repository/getLicense': repo('GET /license'),
    'repository/getProfile': repo('GET /community/profile'),
    'repository/listPopularPaths': repo('GET /traffic/popular/paths'),
    'repository/listReferrers': repo('GET /traffic/popular/referrers'),
    'release/create': repo('POST /releases', {
      json: merged({ tag_name: '$releaseTag' }, within('additionalFields', RELEASE)),
    }),
    'release/get': repo('GET /releases/{release_id}'),
    'release/getAll': repo('GET /releases', { paging: PAGED }),
    'release/update': repo('PATCH /releases/{release_id}', {
      json: within('additionalFields', { ...RELEASE, ...same('tag_name') }),
    }),
    'user/getRepositories': {
      names: { owner: OWNER },
      call: 'GET /users/{@owner}/repos',
      paging: PAGED,
    },
    'organization/getRepositories': {
      names: { owner: OWNER },
      call: 'GET /orgs/{@owner}/repos',
      paging: PAGED,
    },
    'workflow/dispatch': repo('POST /actions/workflows/{workflowId}/dispatches', {
      json: {
        ref: get('ref', { or: 'main' }),
        inputs: get('inputs', { as: 'json', filled: true }),
      },
      answer: { success: true },
    }),
    'workflow/get': repo('GET /actions/workflows/{workflowId}'),
    'workflow/list': repo('GET /actions/workflows', { answer: '@answer.workflows' }),
  },
};
