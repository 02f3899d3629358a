import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { CallToolResult, Revision } from '@parley/mcp'
import { createTestClient, type TestClient, type TestOptions } from '@parley/mcp/testing'
import { describe, onTestFinished } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { createMemoryServer, type MemoryOptions } from '../src/memory.ts'

export type Memory = TestClient<Record<string, { input: object; output: unknown }>>
export type Open = (
  server?: Partial<MemoryOptions>,
  options?: TestOptions,
) => Promise<Memory & { readonly file: string }>

/** Runs the same tests in every revision we speak. */
export function inEveryRevision(body: (open: Open, revision: Revision) => void): void {
  describe.each(triedRevisions)('in %s', (revision) => {
    body((server, options) => openMemory(server, { revision, ...options }), revision)
  })
}

/** A client of a fresh server with a memory of its own. */
export const openMemory: Open = async (server = {}, options = {}) => {
  const file = server.file ?? (await freshFile())
  const memory = createMemoryServer({ ...server, file })
  const client: Memory = await createTestClient(memory, { through: 'text', ...options })
  return Object.assign(client, { file })
}

/** A name in a folder of its own. */
export async function freshFile(name = 'memory.jsonl'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-memory-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, name)
}

/** The text of a result, block by block. */
export function textsOf({ content }: CallToolResult): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}

export function entity(name: string, entityType = 'person', ...observations: readonly string[]) {
  return { name, entityType, observations: [...observations] }
}

export function relation(from: string, relationType: string, to: string) {
  return { from, to, relationType }
}

/** A line as the original program writes it. */
export function entityLine(name: string, entityType = 'person', ...observations: string[]): string {
  return JSON.stringify({ type: 'entity', name, entityType, observations })
}
