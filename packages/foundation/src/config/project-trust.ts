import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'

import type { ConfigEntry } from './config-entry.ts'
import { entryReads, type EntryRead } from './entry-reads.ts'
import type { Resolution } from './resolve-entry.ts'

/** What a file of a project would send away, and to whom. */
export interface ProjectDisclosure {
  readonly reads: readonly EntryRead[]
  /** The origin it goes to. */
  readonly to: string
  /** Changes with the address, with what is sent, and with the file that says so. */
  readonly fingerprint: string
}

/**
 * What has to be approved before an entry is connected: a project's own file, which may come from strangers, names an
 * address and puts files, variables of the environment or secrets of the user into what is sent there.
 */
export function projectDisclosure(
  entry: ConfigEntry,
  { entry: resolved, oauth }: Extract<Resolution, { ok: true }>,
): ProjectDisclosure | undefined {
  if (entry.source.scope !== 'project' || !('url' in resolved)) return undefined
  const reads = entryReads(entry)
  if (reads.length === 0) return undefined
  const { url, headers = {} } = resolved
  const to = URL.canParse(url) ? new URL(url).origin : url
  const said = JSON.stringify([entry.source.file, entry.name, reads, url, headers, oauth])
  return { reads, to, fingerprint: createHash('sha256').update(said).digest('hex') }
}

/** Which disclosures a user has approved, by their fingerprints. */
export interface ProjectTrust {
  isApproved(disclosure: ProjectDisclosure): Promise<boolean>
  approve(disclosure: ProjectDisclosure): Promise<void>
}

/** The oldest go beyond this. */
const mostApprovals = 1000

/** Keeps approvals in a file of the user's. What cannot be read approves nothing. */
export function openProjectTrust(file: string): ProjectTrust {
  async function read(): Promise<readonly string[]> {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'))
      return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
    } catch {
      return [] // nothing is approved yet
    }
  }

  return {
    async isApproved({ fingerprint }) {
      return (await read()).includes(fingerprint)
    },
    async approve({ fingerprint }) {
      const kept = (await read()).filter((one) => one !== fingerprint)
      const next = [...kept, fingerprint].slice(-mostApprovals)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      const draft = `${file}.${process.pid}`
      await writeFile(draft, `${JSON.stringify(next)}\n`, { mode: 0o600 })
      await chmod(draft, 0o600)
      await rename(draft, file)
    },
  }
}
