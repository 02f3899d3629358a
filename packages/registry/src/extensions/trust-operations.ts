import { errorMessage } from '@parley/mcp/json'

import { freshJson, readableJson } from '../api/answer.ts'
import type { Operation } from '../api/operation.ts'
import { Problem } from '../api/problem.ts'
import { readFields } from '../api/read-body.ts'
import { compareSnapshots, createSnapshot, type ToolSnapshot } from '../client/tool-snapshot.ts'
import type { StoredEntry } from '../storage/entry.ts'
import { findVersion, findVersions } from '../storage/find-entries.ts'
import { keepSnapshot, readSnapshots, type StoredSnapshot } from '../storage/snapshots.ts'
import { highestVersion } from '../versions/compare-versions.ts'

const text = { type: 'string' } as const

/** What is known of a version beside its document. The registry itself starts nothing: others tell what they saw. */
const trust: Operation = {
  method: 'GET',
  path: 'x/trust',
  summary: 'Checks, flags and tools of a version, and how the tools differ from the version before',
  query: { name: text, version: text },
  effort: 'read',
  isWriting: false,
  async run({ request, query, reader, isPublic }, { database }) {
    const name = query.text('name') ?? ''
    const wanted = query.text('version') ?? 'latest'
    const entry = await findVersion(database.queries, name, wanted, false, reader)
    if (entry === undefined) throw new Problem(404, 'Server not found')
    const snapshots = await readSnapshots(database.queries, name)
    const own = snapshots.find(({ version }) => version === entry.version)
    const all = await findVersions(database.queries, name, false, reader)
    const before = own && previousOf(entry, all, snapshots)
    const answer = {
      name,
      version: entry.version,
      publisher: name.slice(0, name.indexOf('/')),
      publishedAt: entry.publishedAt,
      flags: JSON.parse(entry.flags ?? '[]') as readonly string[],
      checks: JSON.parse(entry.checks ?? '[]') as readonly object[],
      ...(entry.source !== undefined && { source: entry.source }),
      ...(own && { snapshot: own }),
      ...(own && before && { since: before.version, difference: compareSnapshots(before, own) }),
    }
    return readableJson(request, JSON.stringify(answer), isPublic)
  },
}

/** The highest lower version whose tools somebody has seen. */
function previousOf(
  entry: StoredEntry,
  all: readonly StoredEntry[],
  snapshots: readonly StoredSnapshot[],
): StoredSnapshot | undefined {
  const seen = all.filter(
    (candidate) =>
      candidate.id !== entry.id && snapshots.some(({ version }) => version === candidate.version),
  )
  const lower = seen.filter((candidate) => highestVersion([candidate, entry]) === entry)
  const highest = highestVersion(lower)
  return highest && snapshots.find(({ version }) => version === highest.version)
}

const submit: Operation = {
  method: 'POST',
  path: 'x/snapshots',
  summary: 'Report the tools of a version, as listed when it was probed',
  effort: 'write',
  isWriting: true,
  async run({ request, auth, audited }, { authority, database, bodyBytes, now }) {
    const grant = await authority.authenticate(request, auth)
    const body = await readFields(request, bodyBytes)
    const name = body.text('name')
    authority.require(grant, ['publish', 'edit', 'moderate'], name)
    const wanted = body.text('version', 'latest')
    const entry = await findVersion(database.queries, name, wanted, false)
    if (entry === undefined) throw new Problem(404, 'Server version not found')
    const { version } = entry
    const snapshot = readSnapshot(body.get('tools'))
    Object.assign(audited, { action: 'snapshot', name, version, hash: snapshot.hash })
    const author = `${grant.method}:${grant.subject}`
    const before = await keepSnapshot(database, { name, version, author, ...snapshot }, now)
    return freshJson({
      name,
      version,
      hash: snapshot.hash,
      ...(before && { difference: compareSnapshots(before, snapshot) }),
    })
  },
}

/** What others may know of a version before they install it. */
export const trustOperations: readonly Operation[] = [trust, submit]

function readSnapshot(tools: unknown): ToolSnapshot {
  try {
    return createSnapshot(tools)
  } catch (error) {
    const why = errorMessage(error)
    throw new Problem(422, `The snapshot is not accepted: ${why}.`, {
      details: [{ message: why, location: 'body.tools' }],
    })
  }
}
