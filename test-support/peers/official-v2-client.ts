import {
  Client,
  LOG_LEVEL_META_KEY,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

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

/** The second generation of the official client; `auto` looks for the newest revision before it shakes hands. */
export function openOfficialV2Client(mode: 'legacy' | 'auto') {
  return async (target: Target): Promise<MatrixClient> => {
    const received = createHeard()
    const options = { capabilities, versionNegotiation: { mode } }
    const client = new Client({ name: `official-v2-${mode}`, version: '1.0.0' }, options)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client is no event target
    client.onerror = (error) => {
      if (!isLateProgress(error)) received.complaints.push(String(error))
    }
    client.setRequestHandler('roots/list', () => ({ roots: [root] }))
    client.setRequestHandler('sampling/createMessage', () => sampled)
    client.setRequestHandler('elicitation/create', () => elicited)
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
    const isStandalone = client.getProtocolEra() === 'modern'
    let meta: Record<string, unknown> | undefined

    return {
      revision: client.getNegotiatedProtocolVersion() ?? '',
      capabilities: client.getServerCapabilities() ?? {},
      received,
      listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
      async listFirstTools() {
        const { nextCursor } = await client.request({ method: 'tools/list', params: {} })
        return { hasMore: nextCursor !== undefined }
      },
      callTool: (name, args = {}, { signal, onProgress } = {}) =>
        client.callTool(
          { name, arguments: args, ...(meta && { _meta: meta }) },
          { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
        ),
      listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
      getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
      listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
      listTemplates: async () =>
        (await client.listResourceTemplates()).resourceTemplates.map(
          ({ uriTemplate }) => uriTemplate,
        ),
      readResource: (uri) => client.readResource({ uri }),
      complete: async (ref, argument) =>
        (await client.complete({ ref, argument })).completion.values,
      async setLoggingLevel(level) {
        // Without a session the level goes with each request.
        if (isStandalone) meta = { [LOG_LEVEL_META_KEY]: level }
        else await client.setLoggingLevel(level)
      },
      async follow(uri) {
        if (isStandalone) {
          const subscription = await client.listen({
            resourcesListChanged: true,
            resourceSubscriptions: [uri],
          })
          return { [Symbol.asyncDispose]: () => subscription.close() }
        }
        await client.subscribeResource({ uri })
        return {
          [Symbol.asyncDispose]: async () => void (await client.unsubscribeResource({ uri })),
        }
      },
      ping: async () => void (await client.ping()),
      [Symbol.asyncDispose]: () => client.close(),
    }
  }
}

function openTransport(target: Target): Transport {
  if ('url' in target) return new StreamableHTTPClientTransport(target.url)
  const { command, args } = target
  return new StdioClientTransport({ command, args: [...args], stderr: 'ignore' })
}
