/**
 * The operations of the registry API that change something: publish, edit, change of status, and `/validate`, which only says what would
 * be refused. Leaves rules on documents to `validation/`, and the change itself to `storage/`. Used by `create-registry.ts`.
 */

import { publisherKey, type ServerDocument } from '../document/server-document.ts'
import type { OwnershipProblem } from '../ownership/check-ownership.ts'
import type { RemoteCheck } from '../ownership/remote-cards.ts'
import type { Grant } from '../publishers/tokens.ts'
import { changeStatus, type StatusChange, type StatusOutcome } from '../storage/change-status.ts'
import { findVersion, findVersions } from '../storage/find-entries.ts'
import { publishDocuments, type PublishOutcome } from '../storage/publish.ts'
import type { RemoteInUse } from '../storage/remote-urls.ts'
import { replaceDocument } from '../storage/replace-document.ts'
import { adviseOn } from '../validation/advice.ts'
import { validateDocument } from '../validation/validate-document.ts'
import { freshJson, rawJson } from './answer.ts'
import { entryJson } from './entry-json.ts'
import type { Operation, RegistryContext } from './operation.ts'
import { Problem, type ProblemDetail } from './problem.ts'
import { readJson } from './read-body.ts'
import { readStatusBody } from './status-body.ts'

const publish: Operation = {
  method: 'POST',
  path: 'publish',
  summary: 'Publish a version',
  effort: 'write',
  isWriting: true,
  async run({ request, auth, audited }, parts) {
    const { authority, database, now } = parts
    const grant = await authority.authenticate(request, auth)
    const value = await readJson(request, parts.bodyBytes)
    audited['name'] = nameOf(value)
    authority.require(grant, ['publish'], nameOf(value))
    const failed = 'Failed to publish server'
    const document = requireValid(value, parts, failed)
    audited['version'] = document.version
    await requireOwned(document, parts, failed)
    const remotes = await checkRemotes(document, parts, failed)
    const checks = JSON.stringify([publisherCheck(grant, now), ...remotes])
    const [outcome] = await publishDocuments(database, [document], now, {
      checks,
      rejectsLookAlikes: parts.rejectsLookAlikes,
    })
    if (outcome === undefined) throw new Error('no outcome')
    if (outcome.kind !== 'published') return throwRejection(failed, outcome)
    return withWarnings(entryJson(outcome.entry), document)
  },
}

/** How the publisher proved that the name is theirs, for everybody to read. */
function publisherCheck({ method, subject }: Grant, now: () => number): object {
  const isDomain = method === 'dns' || method === 'http'
  const at = new Date(now()).toISOString()
  return { kind: 'publisher', method, ...(isDomain && { domain: subject }), at }
}

/** What `/validate` warns of, for a publisher who did not ask it. */
const warningsKey = 'dev.parley.registry/warnings'

function withWarnings(entry: string, document: ServerDocument): Response {
  const warnings = adviseOn(document)
  if (warnings.length === 0) return rawJson(entry)
  const { server, _meta } = JSON.parse(entry) as { readonly server: object; readonly _meta: object } // made by `entryJson`
  return freshJson({ server, _meta: { ..._meta, [warningsKey]: warnings.slice(0, 50) } })
}

const replace: Operation = {
  method: 'PUT',
  path: 'servers/{serverName}/versions/{version}',
  summary: 'Overwrite the document of a version',
  effort: 'write',
  isWriting: true,
  async run({ request, parameters, auth }, parts) {
    const { authority, database, now } = parts
    const { serverName = '', version = '' } = parameters
    const grant = await authority.authenticate(request, auth)
    authority.require(grant, ['edit'], serverName)
    const value = await readJson(request, parts.bodyBytes)
    const existing = await findVersion(database.queries, serverName, version, true)
    if (existing === undefined) throw new Problem(404, 'Server version not found')
    const failed = 'Failed to update server version'
    const document = requireValid(value, parts, failed)
    if (document.name !== serverName) {
      throw failure(failed, 'Cannot rename server', 'body.name')
    }
    if (document.version !== existing.version) {
      throw failure(
        failed,
        `the version must be ${existing.version}, as in the path`,
        'body.version',
      )
    }
    if (existing.status !== 'deleted') await requireOwned(document, parts, failed)
    const outcome = await replaceDocument(database, document, now)
    switch (outcome.kind) {
      case 'replaced':
        return rawJson(entryJson(outcome.entry))
      case 'not-found':
        throw new Problem(404, 'Server version not found')
      case 'remote-in-use':
        throw remoteInUse(failed, outcome)
    }
  },
}

const remove: Operation = {
  method: 'DELETE',
  path: 'servers/{serverName}/versions/{version}',
  summary: 'Delete a version: it is hidden, and its number stays taken',
  effort: 'write',
  isWriting: true,
  async run({ request, parameters, auth }, parts) {
    const { serverName = '', version = '' } = parameters
    const { authority, database, now } = parts
    const grant = await authority.authenticate(request, auth)
    authority.require(grant, ['publish', 'edit'], serverName)
    const existing = await findVersion(database.queries, serverName, version, false)
    if (existing === undefined) throw new Problem(404, 'Server version not found')
    const change = { name: serverName, version: existing.version, status: 'deleted' } as const
    const [entry] = requireChanged(await changeStatus(database, change, now), change)
    return rawJson(entry === undefined ? '{}' : entryJson(entry))
  },
}

const patchStatus: Operation = {
  method: 'PATCH',
  path: 'servers/{serverName}/versions/{version}/status',
  summary: 'Change the status of a version',
  effort: 'write',
  isWriting: true,
  async run({ request, parameters, auth }, parts) {
    const { serverName = '', version = '' } = parameters
    const { authority, database, now } = parts
    const grant = await authority.authenticate(request, auth)
    authority.require(grant, ['publish', 'edit'], serverName)
    const wanted = readStatusBody(await readJson(request, parts.bodyBytes))
    const existing = await findVersion(database.queries, serverName, version, true)
    if (existing === undefined) throw new Problem(404, 'Server version not found')
    const change = { name: serverName, version: existing.version, ...wanted }
    const [entry] = requireChanged(await changeStatus(database, change, now), change)
    return rawJson(entry === undefined ? '{}' : entryJson(entry))
  },
}

const patchAllStatuses: Operation = {
  method: 'PATCH',
  path: 'servers/{serverName}/status',
  summary: 'Change the status of all versions of a server at once',
  effort: 'write',
  isWriting: true,
  async run({ request, parameters, auth }, parts) {
    const { serverName = '' } = parameters
    const { authority, database, now } = parts
    const grant = await authority.authenticate(request, auth)
    authority.require(grant, ['publish', 'edit'], serverName)
    const wanted = readStatusBody(await readJson(request, parts.bodyBytes))
    const existing = await findVersions(database.queries, serverName, true)
    if (existing.length === 0) throw new Problem(404, 'Server not found')
    const change = { name: serverName, ...wanted }
    const entries = requireChanged(await changeStatus(database, change, now), change)
    const servers = entries.map(entryJson).join(',')
    return rawJson(`{"updatedCount":${entries.length},"servers":[${servers}]}`)
  },
}

const validate: Operation = {
  method: 'POST',
  path: 'validate',
  summary: 'Check a server.json, and report everything that is wrong with it',
  effort: 'write',
  isWriting: false,
  async run({ request }, { bodyBytes, packageBases }) {
    const value = await readJson(request, bodyBytes).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 400) return error
      throw error
    })
    if (value instanceof Problem) {
      const { message } = value
      const issue = { type: 'json', path: '', message, severity: 'error', reference: 'json' }
      return freshJson({ valid: false, issues: [issue] })
    }
    const { isValid, issues } = validateDocument(value, packageBases)
    return freshJson({ valid: isValid, issues })
  },
}

/** All that change something, and the one that says what would be refused. */
export const writeOperations: readonly Operation[] = [
  publish,
  replace,
  remove,
  patchStatus,
  patchAllStatuses,
  validate,
]

function nameOf(value: unknown): string {
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : ''
  if (typeof name === 'string' && name !== '') return name
  throw new Problem(422, 'The document has no name.', {
    details: [{ message: 'expected a text', location: 'body.name' }],
  })
}

/** The document without the metadata that is not its publisher's. */
export function requireValid(
  value: unknown,
  parts: RegistryContext,
  failed: string,
): ServerDocument {
  const validation = validateDocument(value, parts.packageBases)
  if (validation.isValid) return onlyPublisherMeta(validation.document)
  const details = validation.issues
    .filter(({ severity }) => severity === 'error')
    .map(({ message, path }): ProblemDetail => ({
      message,
      location: path ? `body.${path}` : 'body',
    }))
  const [first] = details
  throw new Problem(400, `${failed}: ${first?.location} ${first?.message}`, { details })
}

function onlyPublisherMeta({ _meta: meta, ...rest }: ServerDocument): ServerDocument {
  const own = meta?.[publisherKey]
  return own === undefined ? rest : { ...rest, _meta: { [publisherKey]: own } }
}

/** Before any lock is taken: the hosts that are asked may be slow. */
export async function requireOwned(
  document: ServerDocument,
  { checkOwnership }: RegistryContext,
  failed: string,
): Promise<void> {
  const problems = (await checkOwnership?.(document)) ?? []
  if (problems.length === 0) return
  const details = problems.map(({ path, why }: OwnershipProblem) => ({
    message: why,
    location: `body.${path}`,
  }))
  const [first] = problems
  if (problems.every((problem) => problem.isWorthAnotherAttempt)) {
    throw new Problem(503, `${failed}: ${first?.why}. Try again later.`, {
      details,
      headers: { 'retry-after': '60' },
    })
  }
  throw new Problem(400, `${failed}: ${first?.why}`, { details })
}

/** What the cards of remotes said, as JSON. Where cards are required, a remote without one is refused. */
async function checkRemotes(
  document: ServerDocument,
  { checkRemotes: check, requiresCards }: RegistryContext,
  failed: string,
): Promise<readonly RemoteCheck[]> {
  const checks = (await check?.(document)) ?? []
  const failedChecks = checks.filter(({ isVerified }) => !isVerified)
  const [first] = failedChecks
  if (requiresCards && first !== undefined) {
    throw new Problem(400, `${failed}: the remote ${first.url} is not verified: ${first.why}`, {
      details: failedChecks.map(({ url, why = '' }) => ({
        message: `${url} is not verified: ${why}`,
        location: 'body.remotes',
      })),
    })
  }
  return checks
}

/** A publication that was refused, in the words of the API. */
export function throwRejection(
  failed: string,
  outcome: Exclude<PublishOutcome, { readonly kind: 'published' }>,
): never {
  switch (outcome.kind) {
    case 'duplicate':
      throw failure(failed, 'invalid version: cannot publish duplicate version', 'body.version')
    case 'too-many-versions':
      throw failure(failed, `a server has at most ${outcome.most} versions`, 'body.version')
    case 'looks-alike':
      throw failure(failed, `the name looks like ${outcome.other}: choose another one`, 'body.name')
    case 'blocked':
      throw new Problem(403, `${failed}: ${outcome.why}`)
    case 'remote-in-use':
      throw remoteInUse(failed, outcome)
  }
}

function requireChanged(outcome: StatusOutcome, change: StatusChange) {
  switch (outcome.kind) {
    case 'changed':
      return outcome.entries
    case 'not-found':
      throw new Problem(404, 'Server version not found')
    case 'unchanged':
      throw new Problem(400, `No changes to apply: status is already ${change.status}`)
    case 'remote-in-use':
      throw remoteInUse('Failed to update status', outcome)
  }
}

function failure(failed: string, message: string, location: string): Problem {
  return new Problem(400, `${failed}: ${message}`, { details: [{ message, location }] })
}

function remoteInUse(failed: string, { url, by }: RemoteInUse): Problem {
  const message = `remote URL ${url} is already used by server ${by}`
  return failure(failed, message, 'body.remotes')
}
