import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'

import { isJsonObject, parseJsonObject } from '@parley/mcp/json'

import { openPrivateFiles, type PrivateFiles } from '../../node/private-files.ts'
import type { AuthServerStore } from './memory-store.ts'
import { createKeyedQueue } from './store-lock.ts'

const sweepMs = 3_600_000

/**
 * One file for each thing, readable by nobody else, written all or nothing. Holds the signing keys: who can read it can
 * make tokens. For one process.
 */
export function createFileAuthServerStore(
  directory: string,
  now: () => number = Date.now,
): AuthServerStore {
  let opening: Promise<PrivateFiles> | undefined
  let sweepAt = 0
  const inTurn = createKeyedQueue()

  function open(): Promise<PrivateFiles> {
    opening ??= openPrivateFiles(directory)
    return opening
  }

  function textOf(value: unknown, ttlMs: number): string {
    return JSON.stringify({ expiresAt: ttlMs === Infinity ? null : now() + ttlMs, value })
  }

  /** Nobody waits for it: there may be many files. */
  function sweepInTime(files: PrivateFiles): void {
    if (now() < sweepAt) return
    sweepAt = now() + sweepMs
    sweep(files).catch(() => {}) // what is left over is found the next time
  }

  async function sweep(files: PrivateFiles): Promise<void> {
    for (const name of await readdir(directory)) {
      if (!name.endsWith('.json')) continue
      await inTurn(name, async () => {
        const text = await files.read(name)
        if (text !== undefined && valueOf(text, now()) === undefined) await files.remove(name)
      })
    }
  }

  return {
    async get(kind, id) {
      return valueOf(await (await open()).read(fileOf(kind, id)), now())
    },

    async set(kind, id, value, ttlMs) {
      const files = await open()
      const name = fileOf(kind, id)
      await inTurn(name, () => files.write(name, textOf(value, ttlMs)))
      sweepInTime(files)
    },

    async add(kind, id, value, ttlMs) {
      const files = await open()
      const name = fileOf(kind, id)
      sweepInTime(files)
      return inTurn(name, async () => {
        const text = await files.read(name)
        if (valueOf(text, now()) !== undefined) return false
        if (text !== undefined) await files.remove(name) // has run out
        const temporary = `${name}.${crypto.randomUUID()}.tmp`
        await files.create(temporary, textOf(value, ttlMs))
        return files.publish(temporary, name) // decides between processes too
      })
    },

    async delete(kind, id) {
      await (await open()).remove(fileOf(kind, id))
    },
  }
}

/** A digest, because ids are secrets and may hold anything. */
function fileOf(kind: string, id: string): string {
  return `${kind.toLowerCase()}-${createHash('sha256').update(id).digest('base64url')}.json`
}

function valueOf(text: string | undefined, now: number): unknown {
  const record = text === undefined ? undefined : parseJsonObject(text)
  if (!isJsonObject(record)) return undefined
  const { expiresAt, value } = record
  return typeof expiresAt === 'number' && expiresAt <= now ? undefined : value
}
