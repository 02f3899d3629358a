import { shellWord } from '@parley/foundation/command-line'
import { masked, type TraceRecord } from '@parley/foundation/trace'
import type { JsonObject } from '@parley/mcp'
import type { ServerEntry } from '@parley/mcp/client'

import { ProblemError } from '../problem.ts'
import { isCommand } from '../servers/entry-view.ts'

type Headers = { readonly [name: string]: string }

/** The first revision without a handshake: its requests stand alone. */
const firstModern = '2026-07-28'

/**
 * A recorded request as commands for a shell. `http` is the record of the HTTP request that carried it, where one was
 * made. Where there are sessions it opens its own: the id of the recorded one is a secret, and ends with the connection.
 */
export function copyAsCurl(
  message: JsonObject,
  entry: ServerEntry | undefined,
  revision: string | undefined,
  http: TraceRecord | undefined,
): string {
  if (entry === undefined || isCommand(entry) || !isPlainHttp(entry)) {
    throw new ProblemError('not_http', 'only requests over Streamable HTTP can be made with curl', {
      hint: 'Copy it as a command line of parley instead.',
    })
  }
  const { url } = entry
  const sent = http?.details?.['headers'] as Headers | undefined // as they were recorded
  const { 'mcp-session-id': session, ...headers } = sent ?? usualHeaders(message, entry, revision)
  const isLegacy = revision !== undefined && revision < firstModern
  const hasSession = sent === undefined ? isLegacy : session !== undefined
  if (!hasSession || message['method'] === 'initialize') return post(url, headers, message)

  const { 'mcp-protocol-version': _, ...opening } = headers
  const open = post(url, opening, initialize(revision), '-o /dev/null -D -')
  const readId = `tr -d '\\r' | awk 'tolower($1) == "mcp-session-id:" { print $2 }'`
  return [
    `session=$(${open} | ${readId})`,
    post(url, headers, { jsonrpc: '2.0', method: 'notifications/initialized' }, inSession),
    post(url, headers, message, inSession),
  ].join('\n')
}

const inSession = '-H "mcp-session-id: $session"'

function post(url: string, headers: Headers, message: JsonObject, options?: string): string {
  return [
    // Brackets and braces in the address are no ranges.
    `curl -sS --globoff ${shellWord(url)}${options === undefined ? '' : ` ${options}`}`,
    ...Object.entries(headers)
      .filter(isHeader)
      .map(([name, value]) => `  -H ${headerWord(name, value)}`),
    `  --data-raw ${shellWord(JSON.stringify(message))}`,
  ].join(' \\\n')
}

/** What a request can carry; curl would read a file for a name that begins with `@`. */
function isHeader([name, value]: [string, string]): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[\r\n\0]/.test(value)
}

/** What is masked becomes a variable of the shell, by the name of its header: `"$AUTHORIZATION"`. */
function headerWord(name: string, value: string): string {
  const variable = `"$${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}"`
  return `${name}: ${value}`
    .split(masked)
    .map((part) => (part === '' ? '' : shellWord(part)))
    .join(variable)
}

function initialize(revision: string | undefined): JsonObject {
  return {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: revision ?? '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'curl', version: '1.0.0' },
    },
  }
}

/** What a client sends, where nobody saw it: a proxy is set. */
function usualHeaders(
  { method, params }: JsonObject,
  { headers }: { readonly headers?: Headers | undefined },
  revision: string | undefined,
): Headers {
  const { name, uri, taskId } = (params ?? {}) as JsonObject // of a request
  const named = name ?? uri ?? taskId
  const isModern = revision !== undefined && revision >= firstModern
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(revision !== undefined && { 'mcp-protocol-version': revision }),
    ...(isModern && typeof method === 'string' && { 'mcp-method': headerValue(method) }),
    ...(isModern && typeof named === 'string' && { 'mcp-name': headerValue(named) }),
    ...headers,
  }
}

/** As it is where a header can carry it, else as base64 between marks. */
function headerValue(text: string): string {
  const isSafe = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
  return isSafe ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

function isPlainHttp({ type, url }: { readonly type?: string | undefined; readonly url: string }) {
  return type !== 'sse' && /^https?:/i.test(url)
}
