import { connect } from '@parley/mcp/client'

import { createHeard, elicited, root, sampled, type MatrixClient, type Target } from './client.ts'

/** Our client, as it is without options about revisions. */
export async function openOurClient(target: Target): Promise<MatrixClient> {
  const received = createHeard()
  const client = await connect('url' in target ? target.url : target, {
    roots: [root],
    elicit: () => elicited,
    sample: () => sampled,
    onLog: (message) => received.logs.push(message),
    onError: (error) => received.complaints.push(String(error)),
  })

  return {
    revision: client.negotiated.revision,
    capabilities: client.server.capabilities,
    received,
    listTools: async () => (await client.listTools().toArray()).map(({ name }) => name),
    async listFirstTools() {
      const { nextCursor } = await client.listTools().page()
      return { hasMore: nextCursor !== undefined }
    },
    callTool: (name, args = {}, options = {}) => client.callTool(name, args, options),
    listPrompts: async () => (await client.listPrompts().toArray()).map(({ name }) => name),
    getPrompt: (name, args) => client.getPrompt(name, args),
    listResources: async () => (await client.listResources().toArray()).map(({ uri }) => uri),
    listTemplates: async () =>
      (await client.listResourceTemplates().toArray()).map(({ uriTemplate }) => uriTemplate),
    readResource: (uri) => client.readResource(uri),
    complete: async (reference, argument) => (await client.complete(reference, argument)).values,
    setLoggingLevel: (level) => client.setLoggingLevel(level),
    async follow(uri) {
      const changes = await client.listen({
        resourcesListChanged: true,
        resourceSubscriptions: [uri],
      })
      const reading = (async () => {
        for await (const change of changes) {
          if (change.type === 'resource') received.updates.push(change.uri)
          else received.changes.push(change.type)
        }
      })()
      return {
        async [Symbol.asyncDispose]() {
          await changes[Symbol.asyncDispose]()
          await reading
        },
      }
    },
    ping: async () => void (await client.ping()),
    [Symbol.asyncDispose]: () => client.close(),
  }
}
