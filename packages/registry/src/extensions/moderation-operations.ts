import { freshJson } from '../api/answer.ts'
import { entryJson } from '../api/entry-json.ts'
import type { Operation, OperationCall, RegistryContext } from '../api/operation.ts'
import { Problem } from '../api/problem.ts'
import { readFields, type BodyFields } from '../api/read-body.ts'
import { curate, requireChange, type CurationChange } from '../curation/curate.ts'
import { addNote, readNotes } from '../curation/notes.ts'
import { dismissReports, readReports } from '../curation/reports.ts'
import { readRules } from '../curation/stored-rules.ts'
import type { Grant } from '../publishers/tokens.ts'
import { listFlagged } from '../storage/list-flagged.ts'

/** What moderators see: the rules, their notes, reports, and what was noticed at publication. */
const overview: Operation = {
  method: 'GET',
  path: 'x/moderation',
  summary: 'Rules, notes, reports and flagged entries, for moderators',
  query: { name: { type: 'string' } },
  effort: 'read',
  isWriting: false,
  async run(call, parts) {
    const { query, request, auth } = call
    const grant = await parts.authority.authenticate(request, auth)
    requireModerator(grant)
    const name = query.text('name')
    const { queries } = parts.database
    const rules = await readRules(queries)
    const concerns = (pattern: string): boolean =>
      name === undefined ||
      pattern === name ||
      pattern.startsWith(`${name}@`) ||
      name.startsWith(`${pattern}/`) ||
      (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)))
    const flagged = (await listFlagged(queries, name)).map((entry) => JSON.parse(entryJson(entry)))
    return freshJson({
      rules: rules.filter(({ pattern }) => concerns(pattern)),
      notes: await readNotes(queries, name),
      reports: await readReports(queries, name),
      flagged: flagged as readonly unknown[],
    })
  },
}

/** Hides, restores, blocks, notes and sets rules. What is done is in the audit log before it is done. */
const moderate: Operation = {
  method: 'POST',
  path: 'x/moderation',
  summary: 'Hide or restore entries, block a publisher, set a rule or leave a note',
  effort: 'write',
  isWriting: true,
  async run(call, parts) {
    const { request, auth, audited } = call
    const { authority, database, now } = parts
    const grant = await authority.authenticate(request, auth)
    requireModerator(grant)
    const body = readDecision(await readFields(request, parts.bodyBytes))
    const author = `${grant.method}:${grant.subject}`
    if (body.kind === 'note') {
      authority.require(grant, ['moderate'], body.name)
      Object.assign(audited, { action: 'note', name: body.name })
      await requireAudit(call, parts, author)
      await addNote(database, body, { author, now })
      return freshJson({ noted: true })
    }
    if (body.kind === 'dismiss') {
      authority.require(grant, ['moderate'], body.name)
      Object.assign(audited, { action: 'dismiss', name: body.name, reason: body.reason })
      await requireAudit(call, parts, author)
      return freshJson({ dismissed: await dismissReports(database, body.name) })
    }
    const { change } = body
    requireChange(change)
    authority.require(grant, ['moderate'], subjectOf(change))
    const { action, kind, pattern, reason } = change
    Object.assign(audited, { action: `${action} ${kind}`, name: pattern, reason })
    await requireAudit(call, parts, author)
    return freshJson(await curate(database, change, { author, now }))
  },
}

/** For moderators. */
export const moderationOperations: readonly Operation[] = [overview, moderate]

function requireModerator({ permissions }: Grant): void {
  if (permissions.some(({ action }) => action === 'moderate')) return
  throw new Problem(403, 'Only moderators may do this: the token has no permission to moderate.')
}

/** What somebody must be allowed to moderate for a change; an allow list concerns all names. */
function subjectOf({ kind, pattern }: CurationChange): string {
  if (kind === 'allow') return '*'
  return kind === 'block' ? `${pattern}/` : (pattern.split('@', 1)[0] ?? pattern)
}

/** Without a record there is no decision. */
async function requireAudit(
  { audited, address }: OperationCall,
  { audit }: RegistryContext,
  author: string,
): Promise<void> {
  if (audit === undefined) return
  const record = { event: 'registry.moderation', by: author, ...audited }
  const outcome = await audit.append({ ...record, ...(address !== undefined && { address }) })
  if (outcome.written) return
  throw new Problem(
    503,
    'The audit log cannot be written, so nothing was changed: try again later.',
  )
}

type Decision =
  | { readonly kind: 'note'; readonly name: string; readonly text: string }
  | { readonly kind: 'dismiss'; readonly name: string; readonly reason: string }
  | { readonly kind: 'rule'; readonly change: CurationChange }

const actions = ['hide', 'restore', 'block', 'unblock', 'note', 'dismiss', 'set', 'remove']

function readDecision(body: BodyFields): Decision {
  const text = (field: string) => body.text(field)
  const version = text('version')
  const name = text('name')
  const reason = text('reason')
  const entry = version === '' ? name : `${name}@${version}`
  const rule = (change: Omit<CurationChange, 'reason'>): Decision => ({
    kind: 'rule',
    change: { ...change, reason },
  })
  switch (text('action')) {
    case 'hide':
      return rule({ action: 'set', kind: 'deny', pattern: entry })
    case 'restore':
      return rule({ action: 'remove', kind: 'deny', pattern: entry })
    case 'block':
      return rule({ action: 'set', kind: 'block', pattern: text('publisher') })
    case 'unblock':
      return rule({ action: 'remove', kind: 'block', pattern: text('publisher') })
    case 'note':
      return { kind: 'note', name, text: text('text') }
    case 'dismiss':
      return { kind: 'dismiss', name, reason }
    case 'set':
    case 'remove':
      return rule({
        action: text('action') === 'set' ? 'set' : 'remove',
        // Anything else is refused by name.
        kind: text('kind') as CurationChange['kind'],
        pattern: text('pattern'),
        value: body.get('value'),
      })
    default:
      throw new Problem(422, `The action must be one of ${actions.join(', ')}.`, {
        details: [{ message: `expected one of ${actions.join(', ')}`, location: 'body.action' }],
      })
  }
}
