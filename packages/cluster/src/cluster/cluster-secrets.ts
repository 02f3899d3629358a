import { createHmac, randomBytes } from 'node:crypto'

import { McpError } from '@parley/mcp'

/** One secret, or several of which the first seals and all open, or a function that is asked again with every heartbeat. */
export type ClusterSecret = string | readonly string[] | (() => string | readonly string[])

/** The secrets that encrypt session ids and request states. */
export interface ClusterSecrets {
  /** The same list until it changes. */
  current(): readonly string[]
  /** Asks a function again. What it gives must be valid, or the list stays as it is. */
  refresh(): void
  /** One value for each secret: equal for equal secrets, and nothing can be opened with it. */
  checks(): readonly string[]
}

const minCharacters = 32
const howToMake = `Make one with: node -e "console.log(require('crypto').randomBytes(32).toString('base64url'))"`

/** Throws `invalid_definition` for what is no secret. */
export function createClusterSecrets(
  secret: ClusterSecret | undefined,
  onError: (error: unknown) => void,
): ClusterSecrets {
  let secrets = readSecrets(secret)
  let checks = secrets.map(checkOf)
  return {
    current: () => secrets,
    checks: () => checks,
    refresh() {
      if (typeof secret !== 'function') return
      try {
        const now = readSecrets(secret)
        if (now.join('\n') === secrets.join('\n')) return
        secrets = now
        checks = now.map(checkOf)
      } catch (error) {
        onError(error)
      }
    },
  }
}

/** A secret for processes that can tell it to each other. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Throws `invalid_definition`, and says how to make a secret, if there is none or one is too short. */
export function readSecrets(secret: ClusterSecret | undefined): readonly string[] {
  const current = typeof secret === 'function' ? secret() : secret
  const secrets = [current ?? []].flat()
  if (secrets.length === 0) {
    throw refused(`the cluster needs a secret of at least ${minCharacters} characters`)
  }
  for (const [index, value] of secrets.entries()) {
    const name = secrets.length === 1 ? 'the secret' : `secret ${index + 1} of ${secrets.length}`
    if (typeof value !== 'string') throw refused(`${name} of the cluster is not a string`)
    if (value.length >= minCharacters) continue
    throw refused(
      `${name} of the cluster has ${value.length} characters: use at least ${minCharacters}`,
    )
  }
  return [...new Set(secrets)]
}

function refused(why: string): McpError {
  return new McpError('invalid_definition', `${why}, the same in every process. ${howToMake}`, {
    details: { feature: 'secret' },
  })
}

/** Short, but two secrets do not share one by chance. */
function checkOf(secret: string): string {
  return createHmac('sha256', secret)
    .update('parley cluster secret')
    .digest('base64url')
    .slice(0, 16)
}
