import { rawJson } from '../api/answer.ts'
import { entryJson } from '../api/entry-json.ts'
import type { Operation } from '../api/operation.ts'
import { Problem } from '../api/problem.ts'
import { readFields } from '../api/read-body.ts'
import { requireOwned, requireValid, throwRejection } from '../api/write-operations.ts'
import { readDocument } from '../document/read-document.ts'
import { findVersion } from '../storage/find-entries.ts'
import { renameServer } from '../storage/rename.ts'

/** The latest version under another name; who may publish both names may do it. */
export const renameOperation: Operation = {
  method: 'POST',
  path: 'x/rename',
  summary: 'Give a server another name; its remote URLs go with it',
  effort: 'write',
  isWriting: true,
  async run({ request, auth, audited }, parts) {
    const { authority, database, now } = parts
    const grant = await authority.authenticate(request, auth)
    const body = await readFields(request, parts.bodyBytes)
    const from = body.text('from')
    const to = body.text('to')
    if (from === '' || to === '' || from === to) {
      throw new Problem(422, 'A rename needs two names: from and to.', {
        details: [{ message: 'expected another name', location: 'body.to' }],
      })
    }
    authority.require(grant, ['publish'], from)
    authority.require(grant, ['publish'], to)
    Object.assign(audited, { action: 'rename', name: from, to })
    const existing = await findVersion(database.queries, from, 'latest', false)
    if (existing === undefined) throw new Problem(404, 'Server not found')
    const failed = 'Failed to rename server'
    const renamed = { ...readDocument(existing.document), name: to }
    const document = requireValid(renamed, parts, failed)
    await requireOwned(document, parts, failed)
    const outcome = await renameServer(database, from, document, now, {
      rejectsLookAlikes: parts.rejectsLookAlikes,
    })
    if (outcome.kind === 'renamed') return rawJson(entryJson(outcome.entry))
    if (outcome.kind === 'not-found') throw new Problem(404, 'Server not found')
    return throwRejection(failed, outcome)
  },
}
