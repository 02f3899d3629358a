import { lstatSync } from 'node:fs'

import { changeLockedFile, readPrivateFile } from '@parley/foundation/files'
import { isJsonObject } from '@parley/mcp/json'

import {
  emptyMemory,
  type ConsentMemory,
  type RememberedDecision,
  type ApprovedDefinition,
  type ToolVersion,
} from './consent-memory.ts'
import type { ConsentStore } from './consent-store.ts'

/** Larger memories lose their oldest versions of tools: they are asked about once more. */
const maxBytes = 8 * 1024 * 1024

/**
 * Keeps answers in a file that only its owner can read. Several processes may use it: each change is made to what is
 * there, under a lock, and written whole. A file that cannot be read is an error, and is never written over.
 */
export function createFileConsentStore(file: string): ConsentStore {
  let last: { readonly stamp: string; readonly memory: ConsentMemory } | undefined
  return {
    async read() {
      const stamp = stampOf(file)
      if (stamp !== undefined && last?.stamp === stamp) return last.memory
      const memory = decodeMemory(await readPrivateFile(file), file)
      last = stamp === undefined ? undefined : { stamp, memory }
      return memory
    },
    change: (update) =>
      changeLockedFile(file, (text) => {
        const before = decodeMemory(text, file)
        const after = update(before)
        return after === before ? undefined : encodeMemory(after)
      }),
  }
}

/** Changes when the file does: each change makes another file. At once: another thread would take many times as long. */
function stampOf(file: string): string | undefined {
  try {
    const { ino, mtimeNs, ctimeNs, size } = lstatSync(file, { bigint: true })
    return [ino, mtimeNs, ctimeNs, size].join(' ')
  } catch {
    return undefined
  }
}

function encodeMemory(memory: ConsentMemory): string {
  const text = `${JSON.stringify({ version: 1, ...memory }, undefined, 1)}\n`
  if (text.length <= maxBytes || memory.seen.length === 0) return text
  return encodeMemory({ ...memory, seen: memory.seen.slice(Math.ceil(memory.seen.length / 2)) })
}

function decodeMemory(text: string | undefined, file: string): ConsentMemory {
  if (text === undefined || text.trim() === '') return emptyMemory
  const broken = (why: string): Error =>
    new Error(`${file} ${why}: repair it, or remove it to forget all answers`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw broken('is not JSON')
  }
  if (!isJsonObject(value) || value['version'] !== 1) throw broken('is not a memory of consent')
  const { answers, seen } = value
  if (!Array.isArray(answers) || !Array.isArray(seen)) throw broken('is not a memory of consent')
  if (!answers.every(isAnswer) || !seen.every(isSeen)) throw broken('has entries of another form')
  return { answers, seen }
}

function isAnswer(value: unknown): value is RememberedDecision {
  if (!isJsonObject(value)) return false
  const { decision, tool, flow, serverDefinition } = value
  return (
    ['id', 'server', 'serverHash', 'at'].every((name) => typeof value[name] === 'string') &&
    (decision === 'allow' || decision === 'deny') &&
    (tool === undefined || isVersion(tool)) &&
    (serverDefinition === undefined || isJsonObject(serverDefinition)) &&
    isJsonObject(flow) &&
    typeof flow['untrusted'] === 'boolean' &&
    typeof flow['private'] === 'boolean'
  )
}

function isSeen(value: unknown): value is ApprovedDefinition {
  if (!isJsonObject(value)) return false
  const { server, serverHash, serverDefinition, tool } = value
  const isNamed = typeof server === 'string' && typeof serverHash === 'string'
  return (
    isNamed && (serverDefinition === undefined || isJsonObject(serverDefinition)) && isVersion(tool)
  )
}

function isVersion(value: unknown): value is ToolVersion {
  if (!isJsonObject(value)) return false
  const { name, hash, definition } = value
  const isNamed = typeof name === 'string' && typeof hash === 'string'
  return isNamed && (definition === undefined || isJsonObject(definition))
}
