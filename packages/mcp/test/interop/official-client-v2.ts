import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type ClientOptions,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import {
  capabilities,
  createHeard,
  elicitationAnswer,
  rootsAnswer,
  samplingAnswer,
  type OpenOfficialClient,
} from './official-client.ts'
import type { Target } from './programs.ts'

/** The second generation of the official client; `auto` looks for the newest revision before it shakes hands. */
export function openOfficialClientV2(mode: 'legacy' | 'auto'): OpenOfficialClient {
  const options: ClientOptions = { capabilities, versionNegotiation: { mode } }

  return async (target) => {
    const received = createHeard()
    const client = new Client({ name: `official-v2-${mode}`, version: '1.0.0' }, options)
    client.setRequestHandler('roots/list', ({ method, params }) => {
      received.inputRequests.push({ method, params })
      return rootsAnswer
    })
    client.setRequestHandler('sampling/createMessage', ({ method, params }) => {
      received.inputRequests.push({ method, params })
      return samplingAnswer
    })
    client.setRequestHandler('elicitation/create', ({ method, params }) => {
      received.inputRequests.push({ method, params })
      return elicitationAnswer
    })
    client.setNotificationHandler('notifications/message', ({ params }) => {
      received.logs.push(params)
    })
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      received.updates.push(params.uri)
    })
    client.setNotificationHandler('notifications/resources/list_changed', ({ method }) => {
      received.changes.push(method)
    })
    await client.connect(openTransport(target))
    const isStandalone = client.getNegotiatedProtocolVersion() === '2026-07-28'
    let logLevel: string | undefined

    return {
      server: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
      received,
      listTools: async () => (await client.listTools()).tools,
      callTool: (name, given = {}, callOptions = {}) =>
        client.callTool(
          {
            name,
            arguments: given,
            // Where there is no session the level is said with each request, which this client leaves to its user.
            ...(logLevel && { _meta: { 'io.modelcontextprotocol/logLevel': logLevel } }),
          },
          callOptions,
        ),
      listPrompts: async () => (await client.listPrompts()).prompts,
      getPrompt: (name, given = {}) => client.getPrompt({ name, arguments: given }),
      listResources: async () => (await client.listResources()).resources,
      listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
      readResource: (uri) => client.readResource({ uri }),
      async follow(...uris) {
        if (isStandalone) {
          const filter = { resourcesListChanged: true, resourceSubscriptions: [...uris] }
          const subscription = await client.listen(filter)
          return { [Symbol.asyncDispose]: () => subscription.close() }
        }
        for (const uri of uris) await client.subscribeResource({ uri })
        return {
          async [Symbol.asyncDispose]() {
            for (const uri of uris) await client.unsubscribeResource({ uri })
          },
        }
      },
      complete: async (params) => (await client.complete(params)).completion.values,
      async setLoggingLevel(level) {
        if (isStandalone) logLevel = level
        else await client.setLoggingLevel(level)
      },
      check: async () => void (isStandalone ? await client.discover() : await client.ping()),
      [Symbol.asyncDispose]: () => client.close(),
    }
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
