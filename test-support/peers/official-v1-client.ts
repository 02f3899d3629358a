import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'

import {
  capabilities,
  createHeard,
  elicited,
  isLateProgress,
  root,
  sampled,
  type MatrixClient,
  type Target,
} from './client.ts'

/** The first generation of the official client. */
export async function openOfficialV1Client(target: Target): Promise<MatrixClient> {
  const received = createHeard()
  const client = new Client({ name: 'official-v1', version: '1.0.0' }, { capabilities })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client is no event target
  client.onerror = (error) => {
    if (!isLateProgress(error)) received.complaints.push(String(error))
  }
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [root] }))
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled)
  client.setRequestHandler(ElicitRequestSchema, () => elicited)
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    received.logs.push(params)
  })
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    received.updates.push(params.uri)
  })
  client.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) => {
    received.changes.push(method)
  })
  const transport = openTransport(target)
  let revision = ''
  // The transport is told what was settled on, and nobody else is.
  const { setProtocolVersion } = transport
  transport.setProtocolVersion = (version) => {
    revision = version
    setProtocolVersion?.call(transport, version)
  }
  await client.connect(transport)

  return {
    revision,
    capabilities: client.getServerCapabilities() ?? {},
    received,
    async listTools() {
      const names: string[] = []
      let cursor: string | undefined
      do {
        const page = await client.listTools({ cursor })
        names.push(...page.tools.map(({ name }) => name))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return names
    },
    listFirstTools: async () => ({ hasMore: (await client.listTools()).nextCursor !== undefined }),
    async callTool(name, args = {}, { signal, onProgress } = {}) {
      const { content, structuredContent, isError } = await client.callTool(
        { name, arguments: args },
        undefined,
        { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
      )
      return { content, structuredContent, isError }
    },
    listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    async listResources() {
      const uris: string[] = []
      let cursor: string | undefined
      do {
        const page = await client.listResources({ cursor })
        uris.push(...page.resources.map(({ uri }) => uri))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return uris
    },
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(
        ({ uriTemplate }) => uriTemplate,
      ),
    readResource: (uri) => client.readResource({ uri }),
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion.values,
    setLoggingLevel: async (level) => void (await client.setLoggingLevel(level)),
    async follow(uri) {
      await client.subscribeResource({ uri })
      return {
        [Symbol.asyncDispose]: async () => void (await client.unsubscribeResource({ uri })),
      }
    },
    ping: async () => void (await client.ping()),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

function openTransport(target: Target): Transport {
  if ('url' in target) return new StreamableHTTPClientTransport(target.url)
  const { command, args } = target
  return new StdioClientTransport({ command, args: [...args], stderr: 'ignore' })
}
