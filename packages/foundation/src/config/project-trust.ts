import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import { parseUrl } from '@parley/mcp/address'

import { writePrivateFile } from '../files/private-file.ts'
import type { ConfigEntry } from './entries/config-entry.ts'
import { entryReads, type EntryRead } from './entries/entry-reads.ts'
import type { Resolution } from './entries/resolve-entry.ts'

/** The use that a file of a project would make of the user's data, once somebody connects by a name in it. */
export type ProjectDisclosure = SentDisclosure | StartedDisclosure

interface Disclosure {
  /** Files, variables of the environment and secrets of the user that it takes. */
  readonly reads: readonly EntryRead[]
  /** Changes with the resolved content, and with the file that says so. */
  readonly fingerprint: string
}

/** Something of the user's goes to an address. */
export interface SentDisclosure extends Disclosure {
  readonly kind: 'sends'
  /** The origin it goes to. */
  readonly to: string
}

/** A program is started with the user's rights. */
export interface StartedDisclosure extends Disclosure {
  readonly kind: 'starts'
}

/**
 * What has to be approved before an entry is connected. A project's own file may come from strangers: a command of it
 * can do anything, and an address gets what the entry puts into the URL and the headers. An address that gets nothing
 * of the user's needs no approval.
 */
export function projectDisclosure(
  entry: ConfigEntry,
  { entry: resolved, oauth }: Extract<Resolution, { ok: true }>,
): ProjectDisclosure | undefined {
  if (entry.source.scope !== 'project') return undefined
  const reads = entryReads(entry)
  const origin = [entry.source.file, entry.name, reads]
  if (!('url' in resolved)) {
    const { command, args, env, cwd, inheritEnv } = resolved
    const described = [...origin, command, args, env, cwd ?? null, inheritEnv]
    return { kind: 'starts', reads, fingerprint: digest(described) }
  }
  if (reads.length === 0) return undefined
  const { url, headers = {} } = resolved
  const to = parseUrl(url)?.origin ?? url
  return { kind: 'sends', reads, to, fingerprint: digest([...origin, url, headers, oauth]) }
}

function digest(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

/** Which disclosures a user has approved, by their fingerprints. */
export interface ProjectTrust {
  /** Whether exactly this was approved before. */
  isApproved(disclosure: ProjectDisclosure): Promise<boolean>
  /** Remembers that the user approves it. */
  approve(disclosure: ProjectDisclosure): Promise<void>
}

/** The oldest go beyond this. */
const maxApprovals = 1000

/** One approval after the other: each writes the whole file. */
let last: Promise<void> = Promise.resolve()

/** Keeps approvals in a file of the user's. What cannot be read approves nothing. */
export function openProjectTrust(file: string): ProjectTrust {
  async function read(): Promise<readonly string[]> {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'))
      return Array.isArray(value) ? value.filter((candidate) => typeof candidate === 'string') : []
    } catch {
      return [] // nothing is approved yet
    }
  }

  async function add(fingerprint: string): Promise<void> {
    const remaining = (await read()).filter((candidate) => candidate !== fingerprint)
    const next = [...remaining, fingerprint].slice(-maxApprovals)
    await writePrivateFile(file, `${JSON.stringify(next)}\n`)
  }

  return {
    async isApproved({ fingerprint }) {
      return (await read()).includes(fingerprint)
    },
    approve({ fingerprint }) {
      const done = last.then(() => add(fingerprint))
      last = done.catch(() => undefined) // told to whoever approved
      return done
    },
  }
}
