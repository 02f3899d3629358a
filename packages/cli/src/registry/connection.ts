import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { writePrivateFile } from '@parley/foundation/files'
import { stateFolder } from '@parley/foundation/secrets'
import type { RegistryClient } from '@parley/registry/client'

import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'

/** Flags of every command that asks a registry. */
export interface RegistryFlags extends CommonFlags {
  readonly registry?: string | undefined
}

/** The registry that was named, by flag or variable, or the official one. */
export async function openRegistryClient(
  { registry }: RegistryFlags,
  { env }: Io,
): Promise<RegistryClient> {
  const { createRegistryClient, officialRegistry } = await import('@parley/registry/client')
  const url = registry ?? env['PARLEY_REGISTRY'] ?? officialRegistry
  if (!/^https?:\/\/./.test(url)) {
    throw new CliError('error', `--registry ${url} is not a URL: it begins with https://`)
  }
  return createRegistryClient({ url, token: env['PARLEY_REGISTRY_TOKEN'] })
}

/** Does something with a registry, and tells of a refusal in the words of a command. */
export async function withRegistry<T>(work: () => Promise<T>): Promise<T> {
  const { RegistryError } = await import('@parley/registry/client')
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const { status, message, details } = error
    const kind = status === undefined ? 'unreachable' : status === 401 ? 'auth_required' : 'error'
    throw new CliError(kind, message, {
      hint: status === 401 ? 'Sign in with `parley registry login`.' : undefined,
      ...(details.length > 0 && { details: { errors: details } }),
      cause: error,
    })
  }
}

interface StoredToken {
  readonly registry: string
  readonly token: string
  /** Seconds since the epoch. */
  readonly expiresAt: number
}

const tokenFile = ({ env }: Io): string => join(stateFolder({ env }), 'registry-token.json')

/** Keeps a token for the next commands; it is good for some minutes only. */
export async function keepToken(token: StoredToken, io: Io): Promise<void> {
  await writePrivateFile(tokenFile(io), `${JSON.stringify(token, null, 2)}\n`)
}

/** The token of the last sign-in at this registry. */
export async function readToken({ url }: RegistryClient, io: Io): Promise<string> {
  const input = io.env['PARLEY_REGISTRY_TOKEN']
  if (input !== undefined) return input
  const text = await readFile(tokenFile(io), 'utf8').catch(() => '{}')
  const { registry, token, expiresAt = 0 } = JSON.parse(text) as Partial<StoredToken> // only we write it
  if (token !== undefined && registry === url && expiresAt * 1000 > Date.now()) return token
  throw new CliError('auth_required', `you are not signed in to ${url}, or no longer`, {
    hint: 'Sign in with `parley registry login`. A sign-in lasts a few minutes.',
  })
}
