import http, { type ClientRequest, type RequestOptions } from 'node:http';
import https from 'node:https';

/** Begins a request to the server of an address; the path is that of the options. */
export function requestTo(url: URL, agent: http.Agent, options: RequestOptions): ClientRequest {
  return (url.protocol === 'https:' ? https : http).request({
    ...options,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? undefined : url.port,
    agent,
  });
}
