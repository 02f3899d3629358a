import type { Client } from '@parley/mcp/client'

import type { SessionView } from '../../protocol/index.ts'

/** What was agreed, and why, from what was said while connecting. */
export function describeSession(
  client: Client,
  era: string,
  opening: readonly string[],
): SessionView {
  const { server, negotiated } = client
  const { tasks, ...capabilities } = client.capabilities
  const hasTasks = tasks !== undefined && negotiated.revision === '2025-11-25' // said there alone
  return {
    revision: negotiated.revision,
    transport: negotiated.transport,
    why: reasonFor(negotiated.revision, era, opening),
    server: {
      ...(server.info && { info: { ...server.info } }),
      capabilities: { ...server.capabilities },
      ...(server.instructions !== undefined && { instructions: server.instructions }),
    },
    client: { capabilities: { ...capabilities, ...(hasTasks && { tasks }) } },
  }
}

function reasonFor(revision: string, era: string, opening: readonly string[]): string {
  if (era === revision) return `You pinned ${revision} in the settings of this server.`
  const pinned = era === 'legacy' || era === 'modern' ? ` You chose ${era} revisions only.` : ''
  const isProbed = opening.includes('server/discover')
  const isShaken = opening.includes('initialize')
  if (isProbed && isShaken) {
    return `The server does not support server/discover, so the client sent initialize; the server chose ${revision}.${pinned}`
  }
  if (isProbed) return `The server answered server/discover and offers ${revision}.${pinned}`
  if (isShaken) {
    const reason =
      era === 'auto' ? ' It was not probed: an earlier connection found that it is legacy.' : ''
    return `The client sent initialize, and the server chose ${revision}.${reason}${pinned}`
  }
  return `An earlier connection agreed on ${revision}, and the server still supports it.${pinned}`
}
