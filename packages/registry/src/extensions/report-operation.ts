import { freshJson } from '../api/answer.ts'
import type { Operation } from '../api/operation.ts'
import { Problem } from '../api/problem.ts'
import { readFields } from '../api/read-body.ts'
import { addReport } from '../curation/reports.ts'
import { findVersion } from '../storage/find-entries.ts'

/** Tells moderators that something is wrong with a server. Everybody who sees it may; they are counted like those who sign in. */
export const reportOperation: Operation = {
  method: 'POST',
  path: 'x/report',
  summary: 'Report a server to the moderators: malware, impersonation, spam',
  effort: 'sign-in',
  isWriting: true,
  async run({ request, auth, reader, audited }, { authority, database, bodyBytes, now }) {
    const grant = await authority.grantOf(request, auth)
    const body = await readFields(request, bodyBytes)
    const name = body.text('name')
    const wanted = body.text('version', 'latest')
    const entry = await findVersion(database.queries, name, wanted, false, reader)
    if (entry === undefined) throw new Problem(404, 'Server not found')
    const { version } = entry
    const kind = body.text('kind')
    const text = body.text('text')
    const author = grant
      ? `${grant.method}:${grant.subject}`
      : auth
        ? `${auth.issuer}:${auth.subject ?? ''}`
        : 'anonymous'
    Object.assign(audited, { action: 'report', name, version, kind })
    await addReport(database, { name, version, kind, text, author }, now)
    return freshJson({ reported: true })
  },
}
