import type { ClientAuth } from '@parley/mcp/client'

import { createServerGrants, type ServerGrants } from './grants/server-grants.ts'
import type { Strategy } from './strategy.ts'

/** Credentials for as many servers as are connected to with it; those of one never go to another. */
export function createAuthorizer(strategy: Strategy): ClientAuth {
  const servers = new Map<string, ServerGrants>()

  return {
    partition: crypto.randomUUID(),
    signInMs: strategy.isSilent ? 0 : strategy.signInMs,

    async authorize({ method, url, server }) {
      return servers.get(nameOf(server))?.headers(method, url) ?? {}
    },

    async challenged(challenge) {
      const name = nameOf(challenge.server)
      const grants = servers.get(name) ?? createServerGrants(new URL(challenge.server), strategy)
      servers.set(name, grants)
      return grants.answer(challenge)
    },
  }
}

function nameOf({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search}`
}
