/**
 * API keys of a gateway in a file that holds only their hashes: makes, lists, revokes and checks keys. The file is read again when
 * it changes, so that a revoked key ends within a second.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

import type { ApiKeyOwner, ApiKeyGuardOptions } from '@parley/auth/resource'
import { changeLockedFile, openFileView } from '@parley/foundation/files'
import type { AuthInfo } from '@parley/mcp'
import type { HttpGuard } from '@parley/mcp/http'

import { readKeys, writeKeys, type StoredKey } from './key-file.ts'

/** The purpose of a new key. */
export interface NewKey {
  /** The owner: the subject of its requests. */
  readonly name: string
  /** @defaultValue none */
  readonly scopes?: readonly string[] | undefined
  /** @defaultValue never */
  readonly expires?: Date | undefined
}

/** A key as it may be shown. */
export type ListedKey = Omit<StoredKey, 'hash'> & {
  /** Whether the key works, or why it no longer does. */
  readonly state: 'active' | 'expired' | 'revoked'
}

/** API keys in a file. The file has no key in it, only hashes. */
export interface ApiKeyFile {
  /** The key is shown this once: nobody can find it out again. */
  createKey(given: NewKey): Promise<{ readonly key: string; readonly stored: ListedKey }>
  /** All keys, expired and revoked ones too. */
  list(): readonly ListedKey[]
  /** From now on nobody gets in by it; other processes know within a second. Throws if there is no such key. */
  revoke(id: string): Promise<ListedKey>
  /** Returns the owner of the key; undefined for an invalid one. Takes the same time for both. */
  find(key: string): ApiKeyOwner | undefined
  /** For `auth` of a listener: `apiKeyGuard()` of `@parley/auth` on this file. */
  guard(options?: ApiKeyGuardOptions): HttpGuard
}

/** Where keys are. */
export interface ApiKeyFileOptions {
  /** The file. It is made with the first key. */
  readonly path: string
  /** @defaultValue a warning of the process */
  readonly onProblem?: ((message: string) => void) | undefined
  /** Milliseconds since 1970. @defaultValue the clock */
  readonly now?: (() => number) | undefined
}

const maxKeys = 10_000
/** With the half second that the file is not looked at again, a stream ends within one second. */
const pollMs = 400
const keyForm = /^pgk_([a-z0-9]{12})_[A-Za-z0-9_-]{43}$/

/** Opens a file of API keys, which is read again when it changes. Throws if it cannot be read. */
export function openApiKeyFile({ path, onProblem, now = Date.now }: ApiKeyFileOptions): ApiKeyFile {
  const view = openFileView({
    path,
    read: (text) => readKeys(text, path),
    onProblem: onProblem ?? ((message) => process.emitWarning(message)),
    now,
  })

  const listeners = new Set<() => void>()
  function announce(): void {
    for (const listener of listeners) listener()
  }

  /** Also for what another process has written. */
  function watch(onChange: () => void): Disposable {
    const looking = setInterval(onChange, pollMs).unref()
    listeners.add(onChange)
    return {
      [Symbol.dispose]() {
        clearInterval(looking)
        listeners.delete(onChange)
      },
    }
  }

  /** The key that let this caller in works no longer, or allows less or something else. */
  function isRevoked(auth: AuthInfo | undefined): boolean {
    if (auth?.issuer !== 'api-key') return false
    const { keyId } = auth.claims
    const stored = typeof keyId === 'string' ? view.current().get(keyId) : undefined
    if (stored === undefined || stateOf(stored, now()) !== 'active') return true
    return stored.name !== auth.subject || [...auth.scopes].some((s) => !stored.scopes.includes(s))
  }

  async function change<T>(work: (keys: Map<string, StoredKey>) => T): Promise<T> {
    let outcome: { readonly value: T } | undefined
    const keys = new Map<string, StoredKey>()
    await changeLockedFile(path, (text) => {
      for (const [id, key] of readKeys(text, path)) keys.set(id, key)
      outcome = { value: work(keys) }
      return writeKeys(keys)
    })
    view.replace(keys)
    announce()
    if (outcome === undefined) throw new Error(`${path} was not written`)
    return outcome.value
  }

  function shown({ hash: _, ...key }: StoredKey): ListedKey {
    return { ...key, state: stateOf(key, now()) }
  }

  function find(key: string): ApiKeyOwner | undefined {
    const [, id = ''] = keyForm.exec(key) ?? []
    const stored = view.current().get(id)
    // The random part has 256 bits: one SHA-256 of it cannot be guessed backwards, and a slow hash would only cost every request.
    const isRight = timingSafeEqual(sha256(key), Buffer.from(stored?.hash ?? noHash, 'hex'))
    if (stored === undefined || !isRight || stored.revoked !== undefined) return undefined
    return {
      subject: stored.name,
      scopes: stored.scopes,
      claims: { keyId: stored.id },
      expiresAt: stored.expires === undefined ? undefined : Date.parse(stored.expires),
    }
  }

  return {
    async createKey({ name, scopes = [], expires }) {
      requireUsable(name, scopes, expires, now())
      const id = newId()
      const key = `pgk_${id}_${randomBytes(32).toString('base64url')}`
      const stored: StoredKey = {
        id,
        name,
        scopes,
        created: new Date(now()).toISOString(),
        ...(expires !== undefined && { expires: expires.toISOString() }),
        hash: sha256(key).toString('hex'),
      }
      await change((keys) => {
        if (keys.size >= maxKeys)
          throw new Error(`${path} has ${maxKeys} keys: remove the file's old ones`)
        keys.set(id, stored)
      })
      return { key, stored: shown(stored) }
    },
    list: () => [...view.current().values()].map(shown),
    revoke: (id) =>
      change((keys) => {
        const stored = keys.get(id)
        if (stored === undefined)
          throw new Error(
            `there is no key ${JSON.stringify(id)}: parley gateway keys list shows all`,
          )
        const revoked = { ...stored, revoked: stored.revoked ?? new Date(now()).toISOString() }
        keys.set(id, revoked)
        return shown(revoked)
      }),
    find,
    guard: (options) => ({
      ...keyGuard(find, options),
      watch: (onRevoked) => watch(() => onRevoked(isRevoked)),
    }),
  }
}

/** `apiKeyGuard()`, loaded with the first request: a gateway without keys starts without it. */
function keyGuard(find: ApiKeyFile['find'], options: ApiKeyGuardOptions | undefined): HttpGuard {
  let made: Promise<HttpGuard> | undefined
  return {
    async authenticate(request) {
      made ??= import('@parley/auth/resource').then(({ apiKeyGuard }) => apiKeyGuard(find, options))
      return (await made).authenticate(request)
    },
  }
}

const noHash = '0'.repeat(64)

function stateOf({ expires, revoked }: Omit<StoredKey, 'hash'>, at: number): ListedKey['state'] {
  if (revoked !== undefined) return 'revoked'
  return expires !== undefined && Date.parse(expires) <= at ? 'expired' : 'active'
}

function requireUsable(
  name: string,
  scopes: readonly string[],
  expires: Date | undefined,
  at: number,
): void {
  if (name === '' || name.length > 200 || /\p{C}/u.test(name)) {
    throw new TypeError('the name of a key has 1 to 200 characters that can be seen')
  }
  const wrong = scopes.find((scope) => !/^[!#-[\]-~]{1,200}$/.test(scope))
  if (wrong !== undefined)
    throw new TypeError(
      `the scope ${JSON.stringify(wrong)} has spaces, quotes or other characters that scopes cannot have`,
    )
  if (expires !== undefined && !(expires.getTime() > at))
    throw new TypeError('the key would have expired already: give a later date')
}

function newId(): string {
  return BigInt(`0x${randomBytes(9).toString('hex')}`)
    .toString(36)
    .padStart(12, '0')
    .slice(-12)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
