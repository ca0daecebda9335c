import type { Paging, Service } from '../service.ts';
import { choice, filled, get, merged, pairs, same, type Template, within } from '../template.ts';

/** All of a list comes at once. */
function atOnce(limit: number): Paging {
  return {
    by: 'once',
    all: { setting: 'returnAll', or: false },
    limit: { setting: 'limit', or: limit },
  };
}

const PLACE: Template = choice('locationSelection', 'cityName', {
  cityName: { q: '$cityName' },
  cityId: { id: '$cityId' },
  coordinates: { lat: '$latitude', lon: '$longitude' },
  zipCode: { zip: '$zipCode' },
});
const WEATHER: Template = merged(PLACE, {
  units: get('format', { or: 'metric' }),
  lang: filled('language'),
});

export const OPEN_WEATHER_MAP: Service = {
  name: 'OpenWeatherMap',
  type: 'n8n-nodes-base.openWeatherMap',
  versions: [1, 1],
  server: 'https://api.openweathermap.org/data/2.5',
  auth: { openWeatherMapApi: { as: 'query', name: 'appid' } },
  message: ['message'],
  operation: 'currentWeather',
  rows: {
    currentWeather: { call: 'GET /weather', query: WEATHER },
    '5DayForecast': { call: 'GET /forecast', query: WEATHER },
  },
};

const COIN_OPTIONS = same(
  ...['localization', 'tickers', 'market_data', 'community_data', 'developer_data', 'sparkline'],
);

/** CoinGecko's free API. */
export const COIN_GECKO: Service = {
  name: 'CoinGecko',
  type: 'n8n-nodes-base.coinGecko',
  versions: [1, 1],
  server: 'https://api.coingecko.com/api/v3',
  auth: {},
  message: ['error', 'status.error_message'],
  resource: 'coin',
  operation: { coin: 'getAll', event: 'getAll' },
  rows: {
    'coin/get': {
      by: 'searchBy',
      or: 'coinId',
      of: {
        coinId: { call: 'GET /coins/{coinId}', query: within('options', COIN_OPTIONS) },
        contractAddress: {
          call: 'GET /coins/{platformId}/contract/{contractAddress}',
        },
      },
    },
    'coin/getAll': { call: 'GET /coins/list', paging: atOnce(100) },
    'coin/ticker': {
      call: 'GET /coins/{coinId}/tickers',
      paging: { ...atOnce(100), list: 'tickers' },
    },
  },
};

export const DEEPL: Service = {
  name: 'DeepL',
  type: 'n8n-nodes-base.deepL',
  versions: [1, 1],
  server: 'https://api.deepl.com/v2',
  auth: { deepLApi: { as: 'header', name: 'Authorization', prefix: 'DeepL-Auth-Key ' } },
  message: ['message'],
  resource: 'language',
  operation: { language: 'translate' },
  rows: {
    'language/translate': {
      call: 'POST /translate',
      form: merged(
        { text: '$text', target_lang: '$translateTo' },
        within('additionalFields', {
          source_lang: filled('sourceLang'),
          formality: '$formality',
        }),
      ),
      answer: '@answer.translations.0',
    },
  },
};

export const CLEARBIT: Service = {
  name: 'Clearbit',
  type: 'n8n-nodes-base.clearbit',
  versions: [1, 1],
  server: 'https://person-stream.clearbit.com',
  auth: { clearbitApi: { as: 'bearer' } },
  message: ['error.message'],
  resource: 'company',
  operation: { company: 'enrich', person: 'enrich' },
  rows: {
    'person/enrich': {
      call: 'GET /v2/people/find',
      query: merged(
        { email: '$email' },
        within('additionalFields', {
          given_name: '$givenName',
          family_name: '$familyName',
          ip_address: '$ipAddress',
          ...same('location', 'company', 'twitter', 'linkedin', 'facebook'),
          company_domain: '$companyDomain',
        }),
      ),
    },
    'company/enrich': {
      call: 'GET https://company-stream.clearbit.com/v2/companies/find',
      query: merged(
        { domain: '$domain' },
        within('additionalFields', {
          company_name: '$companyName',
          ...same('linkedin', 'twitter', 'facebook'),
        }),
      ),
    },
    'company/autocomplete': {
      call: 'GET https://autocomplete.clearbit.com/v1/companies/suggest',
      query: { query: '$name' },
    },
  },
};

/** Home Assistant, whose servers are everybody's own. */
export const HOME_ASSISTANT: Service = {
  name: 'Home Assistant',
  type: 'n8n-nodes-base.homeAssistant',
  versions: [1, 1],
  server: '',
  auth: { homeAssistantApi: { as: 'bearer' } },
  message: ['message'],
  resource: 'config',
  operation: { config: 'get', state: 'get', service: 'call', event: 'getAll', template: 'create' },
  rows: {
    'config/get': { call: 'GET /api/config' },
    'config/check': { call: 'POST /api/config/core/check_config' },
    'state/get': { call: 'GET /api/states/{entityId}' },
    'state/getAll': { call: 'GET /api/states', paging: atOnce(50) },
    'state/upsert': {
      call: 'POST /api/states/{entityId}',
      json: {
        state: '$state',
        attributes: pairs('stateAttributes.attributes', '$name', '$value'),
      },
    },
    'service/call': {
      call: 'POST /api/services/{domain}/{service}',
      json: merged({}, pairs('serviceAttributes.attributes', '$name', '$value')),
      answer: { success: true },
    },
    'service/getAll': { call: 'GET /api/services', paging: atOnce(50) },
    'event/getAll': { call: 'GET /api/events', paging: atOnce(50) },
    'event/create': {
      call: 'POST /api/events/{eventType}',
      json: merged({}, pairs('eventAttributes.attributes', '$name', '$value')),
    },
  },
};

const TWEET: Template = merged(
  { text: '$text' },
  within('additionalFields', {
    quote_tweet_id: get('inQuoteToStatusId', { filled: true, url: 'status/(\\d+)' }),
  }),
);

/** X, once Twitter. */
export const TWITTER: Service = {
  name: 'X (Twitter)',
  type: 'n8n-nodes-base.twitter',
  versions: [2, 2],
  server: 'https://api.twitter.com/2',
  auth: { twitterOAuth2Api: { as: 'bearer' } },
  message: ['detail', 'title'],
  resource: 'tweet',
  operation: { tweet: 'create', user: 'searchUser', directMessage: 'create' },
  rows: {
    'tweet/create': {
      by: 'additionalFields.inReplyToStatusId',
      or: '',
      of: { '': { call: 'POST /tweets', json: TWEET, answer: '@answer.data' } },
    },
    'tweet/delete': {
      names: { tweet: get('tweetDeleteId', { url: 'status/(\\d+)' }) },
      call: 'DELETE /tweets/{@tweet}',
      answer: '@answer.data',
    },
  },
};

export const PUSHOVER: Service = {
  name: 'Pushover',
  type: 'n8n-nodes-base.pushover',
  versions: [1, 1],
  server: 'https://api.pushover.net/1',
  auth: { pushoverApi: { as: 'path' } },
  message: ['errors.0'],
  resource: 'message',
  operation: { message: 'push' },
  rows: {
    'message/push': {
      call: 'POST /messages.json',
      json: merged(
        {
          token: '@token',
          user: '$userKey',
          message: '$message',
          priority: get('priority', { or: -2 }),
        },
        within('additionalFields', {
          ...same('device', 'sound', 'timestamp', 'title', 'url', 'url_title', 'html'),
        }),
      ),
    },
  },
};
