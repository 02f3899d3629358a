import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
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
  elicitationAnswer,
  rootsAnswer,
  samplingAnswer,
  type OpenOfficialClient,
} from './official-client.ts'
import type { Target } from './programs.ts'

/** The first generation of the official client, on a program of its own. */
export const openOfficialClientV1: OpenOfficialClient = async (target) => {
  const received = createHeard()
  const client = new Client({ name: 'official-v1', version: '1.0.0' }, { capabilities })
  client.setRequestHandler(ListRootsRequestSchema, ({ method, params }) => {
    received.inputRequests.push({ method, params })
    return rootsAnswer
  })
  client.setRequestHandler(CreateMessageRequestSchema, ({ method, params }) => {
    received.inputRequests.push({ method, params })
    return samplingAnswer
  })
  client.setRequestHandler(ElicitRequestSchema, ({ method, params }) => {
    received.inputRequests.push({ method, params })
    return elicitationAnswer
  })
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    received.logs.push(params)
  })
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    received.updates.push(params.uri)
  })
  client.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) => {
    received.changes.push(method)
  })
  await client.connect(openTransport(target))

  return {
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    received,
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, given = {}, options = {}) =>
      client.callTool({ name, arguments: given }, undefined, options),
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: (name, given = {}) => client.getPrompt({ name, arguments: given }),
    listResources: async () => (await client.listResources()).resources,
    listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    readResource: (uri) => client.readResource({ uri }),
    async follow(...uris) {
      for (const uri of uris) await client.subscribeResource({ uri })
      return {
        async [Symbol.asyncDispose]() {
          for (const uri of uris) await client.unsubscribeResource({ uri })
        },
      }
    },
    complete: async (params) => (await client.complete(params)).completion.values,
    setLoggingLevel: (level) => client.setLoggingLevel(level),
    check: async () => void (await client.ping()),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

function openTransport(target: Target): Transport {
  if ('command' in target) {
    return new StdioClientTransport({ command: target.command, args: [...target.args] })
  }
  return target.channel === 'sse'
    ? new SSEClientTransport(target.url)
    : new StreamableHTTPClientTransport(target.url, target.fetch && { fetch: target.fetch })
}
