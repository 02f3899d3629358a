import { relative } from 'node:path'

import type { ConfigEntry, ConfigProblem, LoadedConfig } from '@parley/foundation/config'
import {
  configuredServers,
  HostError,
  type HostAccount,
  type HostServer,
  type HostSignInOptions,
} from '@parley/host'
import { connect, type ServerEntry } from '@parley/mcp/client'

import type { CommandContext } from '../command.ts'
import { authFor, eraOf } from '../connection.ts'
import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import { createSignIn, fromSettings } from '../sign-in/sign-in.ts'
import { describeRevocation, grantsOf, signOutOfServers } from '../sign-in/sign-out.ts'
import { loadFor, toPendingTarget } from '../target/configured-target.ts'
import { rootsOf } from '../target/roots.ts'
import type { Target } from '../target/target.ts'
import { version } from '../version.ts'

/** Which entries count, and which were agreed to elsewhere. */
export interface HostServersOptions {
  /** @defaultValue all of them */
  readonly isWanted?: ((entry: ConfigEntry) => boolean) | undefined
  /** What a person agreed to in a page needs no `--trust`. @defaultValue none */
  readonly isAgreed?: ((entry: ConfigEntry) => boolean) | undefined
}

/**
 * The servers of the configuration, for a host. Variables are looked up when a server is first needed, and what is wrong
 * with one is that one's reason. What a project's file starts has to be approved first.
 */
export async function hostServers(
  flags: CommonFlags,
  context: CommandContext,
  { isWanted = () => true, isAgreed }: HostServersOptions = {},
): Promise<readonly HostServer[]> {
  const { io } = context
  const loaded = await loadFor(flags, io)
  const entries = loaded.entries.filter(isWanted)
  const files = new Set(entries.map(({ source }) => source.file))
  const isAbout = ({ server, file }: ConfigProblem) => server === undefined || files.has(file)
  const config = { ...loaded, entries, problems: loaded.problems.filter(isAbout) }
  const broken = config.problems.find(
    ({ level, server }) => level === 'error' && server === undefined,
  )
  if (broken !== undefined && flags.config !== undefined) throw unusable(broken, io.cwd)
  for (const { settings } of config.entries) eraOf(settings.era)
  return serversOf(config, flags, context, isAgreed)
}

/** Entries as servers of a host. */
export function serversOf(
  config: Pick<LoadedConfig, 'entries' | 'problems'>,
  flags: CommonFlags,
  context: CommandContext,
  isAgreed: (entry: ConfigEntry) => boolean = () => false,
): readonly HostServer[] {
  const { io } = context
  const targets = new Map<string, Target>()
  const resolve = async (entry: ConfigEntry): Promise<ServerEntry> => {
    const { target, pending } = await toPendingTarget(entry, flags, io)
    targets.set(entry.name, target)
    if (pending === undefined || isAgreed(entry)) return target.entry
    const file = relative(io.cwd, entry.source.file)
    const what = pending.disclosure.kind === 'starts' ? 'starts a program' : 'sends values of yours'
    throw new HostError(
      'server_off',
      `not started: ${file} came with the project, and ${entry.name} ${what}. --trust approves it.`,
    )
  }
  return configuredServers(config, { resolve }).map((server) => ({
    ...server,
    ...(server.roots && { roots: rootsOf({ roots: server.roots }, flags, io.cwd) }),
    auth: async (url) => authFor(targets.get(server.name) ?? { entry: { url } }, context),
    signIn: (options) => signInTo(targets.get(server.name), context, options),
    account: accountOf(() => targets.get(server.name), context),
  }))
}

/** What was granted for a server with an address, once that is known. */
function accountOf(target: () => Target | undefined, { io }: CommandContext): HostAccount {
  const urlOf = (): string | undefined => {
    const entry = target()?.entry
    return entry !== undefined && 'url' in entry ? entry.url : undefined
  }
  return {
    async grants() {
      const url = urlOf()
      const grants = url === undefined ? [] : await grantsOf(url, io)
      return grants.map(({ issuer, scopes = [], expiresAt, canRefresh }) => ({
        issuer,
        scopes,
        ...(expiresAt !== undefined && { expiresAt }),
        canRefresh,
      }))
    },
    async signOut(signal) {
      const url = urlOf()
      if (url === undefined) return []
      const client = fromSettings(target()?.oauth)
      const revocations = (await signOutOfServers(url, io, { client, signal })) ?? []
      return revocations.flatMap((revocation) =>
        revocation.kind === 'revoked' ? [] : (describeRevocation(revocation) ?? []),
      )
    },
  }
}

/** A person signs in at the page of the server, as with `parley auth login`. */
async function signInTo(
  target: Target | undefined,
  { io }: CommandContext,
  { show, signal }: HostSignInOptions,
): Promise<void> {
  if (target === undefined || !('url' in target.entry)) {
    throw new Error('only servers with an address have a sign-in')
  }
  const { entry } = target
  const auth = await createSignIn(entry.url, io, { ...fromSettings(target.oauth), open: show })
  await using client = await connect(entry, {
    info: { name: 'parley', version },
    protocolVersion: eraOf(target.era),
    reconnect: false,
    auth,
    signal,
    onError: () => undefined, // what goes wrong rejects
  })
  await client.ping({ signal }) // some servers let everybody in, and then do not
}

function unusable({ file, line, message, fix }: ConfigProblem, cwd: string): CliError {
  const location = `${relative(cwd, file) || file}${line === undefined ? '' : `:${line}`}`
  return new CliError('error', `${location}: ${message}`, { hint: fix })
}
