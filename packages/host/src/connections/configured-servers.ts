import type { ConfigEntry, LoadedConfig, ResolveOptions } from '@parley/foundation/config'
import type { ConnectOptions, ServerEntry } from '@parley/mcp/client'

import { HostError } from '../host-error.ts'
import type { HostServer } from './host-server.ts'

/** How entries of configuration files become servers. */
export interface ConfiguredServersOptions extends ResolveOptions {
  /**
   * Puts values in place of variables when a server is first needed. What it throws is that server's reason.
   * @defaultValue from the environment; what a project's own file starts or sends is refused, since nobody approved it
   */
  readonly resolve?: ((entry: ConfigEntry) => Promise<ServerEntry>) | undefined
}

/**
 * The servers of configuration files, for `createHost`. One that is wrong or disabled is listed with the reason and never
 * started. Tags `trusted` and `private` say how its results mark a conversation. Of two with the same name the user's
 * counts, not the project's.
 */
export function configuredServers(
  { entries, problems }: Pick<LoadedConfig, 'entries' | 'problems'>,
  options: ConfiguredServersOptions = {},
): readonly HostServer[] {
  const { resolve = (entry) => resolveOwn(entry, options) } = options
  const byName = new Map<string, HostServer>()
  for (const { server, level, key, message, fix } of problems) {
    if (server === undefined || level !== 'error') continue
    const disabledReason = [
      `${key ?? server} ${message}.`,
      ...(fix === undefined ? [] : [fix]),
    ].join(' ')
    byName.set(server, { name: server, target: '', disabledReason })
  }
  // A project's file must not put its own command under a name that the user knows.
  const ownLast = entries.toSorted((a, b) => Number(isUsers(a)) - Number(isUsers(b)))
  for (const entry of ownLast) byName.set(entry.name, configuredServer(entry, resolve))
  return [...byName.values()]
}

function isUsers({ source }: ConfigEntry): boolean {
  return source.scope !== 'project'
}

function configuredServer(
  entry: ConfigEntry,
  resolve: (entry: ConfigEntry) => Promise<ServerEntry>,
): HostServer {
  const { era, connectMs, requestMs, tags, isDisabled, roots } = entry.settings
  return {
    name: entry.name,
    target: () => resolve(entry),
    connect: {
      // An unknown word is refused when it connects, with those that are known.
      protocolVersion: era as ConnectOptions['protocolVersion'],
      timeouts: { connectMs, idleMs: requestMs },
    },
    ...(isDisabled && { disabledReason: 'disabled in its configuration' }),
    ...(roots.length > 0 && { roots }),
    trusted: tags.includes('trusted'),
    private: tags.includes('private'),
  }
}

async function resolveOwn(entry: ConfigEntry, options: ResolveOptions): Promise<ServerEntry> {
  // Loaded when a server is first needed: the first request to the model does not wait for it.
  const { projectDisclosure, resolveEntry } = await import('@parley/foundation/config')
  const resolved = await resolveEntry(entry, options)
  if (!resolved.ok) {
    throw new Error(resolved.problems.map(({ key, message }) => `${key} ${message}`).join('; '))
  }
  if (projectDisclosure(entry, resolved) === undefined) return resolved.entry
  throw new HostError('server_off', `not started: ${entry.source.file} came with the project`)
}
