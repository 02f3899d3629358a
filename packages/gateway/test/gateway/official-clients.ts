import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'

/** What the same test needs of each generation. */
export interface OfficialClient extends AsyncDisposable {
  /** Methods that it was asked, and resources that it was told of. */
  readonly received: string[]
  toolNames(): Promise<readonly string[]>
  callTool(name: string, args?: Record<string, unknown>): Promise<string>
  complete(params: CompleteParams): Promise<readonly string[]>
  follow(uri: string): Promise<unknown>
}

type CompleteParams = Parameters<ClientV1['complete']>[0]

const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} }
const roots = { roots: [{ uri: 'file:///home/ada', name: 'home' }] }
const sampled = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Forty-two.' },
  model: 'scripted',
}
const elicited = { action: 'accept' as const, content: { name: 'Ada' } }

/** The first generation. */
export async function openV1(url: URL): Promise<OfficialClient> {
  const received: string[] = []
  const client = new ClientV1({ name: 'official-v1', version: '1.0.0' }, { capabilities })
  client.setRequestHandler(ListRootsRequestSchema, ({ method }) => (received.push(method), roots))
  client.setRequestHandler(
    CreateMessageRequestSchema,
    ({ method }) => (received.push(method), sampled),
  )
  client.setRequestHandler(ElicitRequestSchema, ({ method }) => (received.push(method), elicited))
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    received.push(params.uri)
  })
  await client.connect(new HttpV1(url))
  return {
    received,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    callTool: async (name, args = {}) =>
      JSON.stringify(await client.callTool({ name, arguments: args })),
    complete: async (params) => (await client.complete(params)).completion.values,
    follow: (uri) => client.subscribeResource({ uri }),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The second generation; `auto` looks for the newest revision first. */
export async function openV2(url: URL, mode: 'legacy' | 'auto'): Promise<OfficialClient> {
  const received: string[] = []
  const client = new ClientV2(
    { name: 'official-v2', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  )
  client.setRequestHandler('roots/list', ({ method }) => (received.push(method), roots))
  client.setRequestHandler(
    'sampling/createMessage',
    ({ method }) => (received.push(method), sampled),
  )
  client.setRequestHandler('elicitation/create', ({ method }) => (received.push(method), elicited))
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    received.push(params.uri)
  })
  await client.connect(new HttpV2(url))
  const isStandalone = client.getNegotiatedProtocolVersion() === '2026-07-28'
  return {
    received,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    callTool: async (name, args = {}) =>
      JSON.stringify(await client.callTool({ name, arguments: args })),
    complete: async (params) => (await client.complete(params)).completion.values,
    follow: (uri) =>
      isStandalone
        ? client.listen({ resourceSubscriptions: [uri] })
        : client.subscribeResource({ uri }),
    [Symbol.asyncDispose]: () => client.close(),
  }
}
