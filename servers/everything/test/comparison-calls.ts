/** What is asked of the reference server and of ours, in an order in which it makes sense. */

import type { Client } from '@parley/mcp/client'

/** One question, and how to put it. */
export interface Compared {
  readonly title: string
  ask(client: Client): Promise<unknown>
}

function call(name: string, args: object = {}): Compared {
  const title = `${name} ${JSON.stringify(args)}`
  return { title, ask: (client) => client.callTool(name, args) }
}
function prompt(name: string, args: Record<string, string> = {}): Compared {
  const title = `prompt ${name} ${JSON.stringify(args)}`
  return { title, ask: (client) => client.getPrompt(name, args) }
}
function read(uri: string): Compared {
  return { title: `read ${uri}`, ask: (client) => client.readResource(uri) }
}

type Reference = Parameters<Client['complete']>[0]
function complete(
  reference: Reference,
  name: string,
  value: string,
  given: Record<string, string> = {},
): Compared {
  const title = `complete ${JSON.stringify(reference)} ${name} ${value} ${JSON.stringify(given)}`
  return {
    title,
    ask: (client) => client.complete(reference, { name, value }, { known: given }),
  }
}

const team: Reference = { type: 'ref/prompt', name: 'completable-prompt' }
const embedding: Reference = { type: 'ref/prompt', name: 'resource-prompt' }
const texts: Reference = { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' }
const blobs: Reference = { type: 'ref/resource', uri: 'demo://resource/dynamic/blob/{resourceId}' }

/** Answered the same, apart from words that are each server's own. */
export const sameAnswers: readonly Compared[] = [
  call('echo', { message: 'hi' }),
  call('echo', { message: '' }),
  call('echo', { message: 'Łódź 🚂\n"x"' }),
  call('echo', { message: 'a', more: 1 }),
  call('echo'),
  call('echo', { message: 7 }),
  call('get-sum', { a: 1, b: 2 }),
  call('get-sum', { a: 0.1, b: 0.2 }),
  call('get-sum', { a: -1e21, b: 5 }),
  call('get-sum', { a: '1', b: 2 }),
  call('get-sum', { a: 1 }),
  call('get-tiny-image'),
  ...['error', 'success', 'debug'].flatMap((messageType) => [
    call('get-annotated-message', { messageType }),
    call('get-annotated-message', { messageType, includeImage: true }),
  ]),
  call('get-annotated-message', { messageType: 'nope' }),
  ...['New York', 'Chicago', 'Los Angeles', 'Rome'].map((location) =>
    call('get-structured-content', { location }),
  ),
  call('get-resource-links'),
  ...[1, 10, 0, 11, 2.5].map((count) => call('get-resource-links', { count })),
  call('get-resource-reference'),
  call('get-resource-reference', { resourceType: 'Blob', resourceId: 4 }),
  ...[0, -1, 1.5].map((resourceId) => call('get-resource-reference', { resourceId })),
  call('get-resource-reference', { resourceType: 'Sound' }),
  call('gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello' }),
  call('gzip-file-as-resource', { data: 'data:,x', outputType: 'resource' }),
  call('gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain;base64,aGk=' }),
  call('gzip-file-as-resource', { data: 'ftp://example.com/' }),
  call('gzip-file-as-resource', { data: 'no address' }),
  { title: 'list resources', ask: (client) => client.listResources().toArray() },
  read('demo://resource/session/a.gz'),
  call('trigger-long-running-operation', { duration: 0.05, steps: 3 }),
  call('trigger-long-running-operation', { duration: 0, steps: 1 }),
  call('get-roots-list'),
  call('trigger-sampling-request', { prompt: 'Why?' }),
  call('trigger-sampling-request', { prompt: 'Why?', maxTokens: 7 }),
  call('trigger-sampling-request', { prompt: 'please refuse' }),
  call('trigger-sampling-request'),
  call('trigger-url-elicitation', { url: 'https://example.com/a' }),
  call('trigger-url-elicitation', {
    url: 'https://example.com/a',
    message: 'm',
    elicitationId: 'e',
  }),
  call('trigger-url-elicitation', { url: 'https://example.com/b', errorPath: true }),
  call('trigger-url-elicitation', { url: 'https://example.com/b', errorPath: true }),
  call('trigger-url-elicitation', { url: 'https://example.com/decline' }),
  call('trigger-url-elicitation', { url: 'https://example.com/cancel' }),
  call('trigger-url-elicitation', { url: 'https://example.com/refuse' }),
  call('trigger-url-elicitation', { url: 'nope' }),
  call('trigger-elicitation-request'),
  {
    title: 'toggle-simulated-logging, when it stops',
    async ask(client) {
      await client.callTool('toggle-simulated-logging')
      return client.callTool('toggle-simulated-logging')
    },
  },
  call('toggle-subscriber-updates'),
  call('toggle-subscriber-updates'),
  prompt('simple-prompt'),
  prompt('nothing'),
  prompt('args-prompt'),
  prompt('args-prompt', { city: 'Rome' }),
  prompt('args-prompt', { city: 'Austin', state: 'Texas' }),
  prompt('completable-prompt', { department: 'Sales', name: 'Eve' }),
  prompt('resource-prompt', { resourceType: 'Text', resourceId: '3' }),
  prompt('resource-prompt', { resourceType: 'Blob', resourceId: '3' }),
  read('demo://resource/dynamic/text/1'),
  read('demo://resource/dynamic/blob/2'),
  ...['', 'S', 's', 'x'].map((value) => complete(team, 'department', value)),
  complete(team, 'name', ''),
  complete(team, 'name', '', { department: 'Sales' }),
  complete(team, 'name', 'K', { department: 'Support' }),
  ...['', 'B'].map((value) => complete(embedding, 'resourceType', value)),
  ...['7', 'x', '0', '1.5'].map((value) => complete(embedding, 'resourceId', value)),
  ...['12', 'x'].map((value) => complete(texts, 'resourceId', value)),
  ...['12', '-1'].map((value) => complete(blobs, 'resourceId', value)),
]

/** Answered otherwise, and why. */
export const otherAnswers: readonly (readonly [why: string, compared: Compared])[] = [
  ['an unknown tool is a mistake of the caller, not a result', call('nothing')],
  [
    'arguments of a prompt are the caller’s to correct, so -32602 instead of -32603',
    prompt('resource-prompt', { resourceType: 'X', resourceId: '3' }),
  ],
  [
    'the same, for the other argument',
    prompt('resource-prompt', { resourceType: 'Text', resourceId: 'x' }),
  ],
  ['there is a code for a resource that is not there', read('demo://resource/dynamic/text/0')],
  ['the same, for an address without any meaning', read('demo://nothing')],
  ['completing an argument that is not there is a mistake', complete(team, 'age', '')],
  [
    'the address of a session’s file is a valid URI, whatever the name',
    call('gzip-file-as-resource', { name: 'a file/ü.gz', data: 'data:,x' }),
  ],
  ['logs with each call, not every five seconds, and says so', call('toggle-simulated-logging')],
  ['a report in words of our own', call('simulate-research-query', { topic: 'tides' })],
]
