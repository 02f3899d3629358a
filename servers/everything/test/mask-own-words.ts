import { Buffer } from 'node:buffer'

/** Members that say nothing about behaviour, or that a server may leave out. */
const ownMembers = new Set(['description', 'size', 'total', 'hasMore', '_meta'])

/** An answer with times, ids, pictures and words that are each server's own taken out. */
export function maskOwnWords(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => {
      if (ownMembers.has(key)) return undefined
      if (key === 'elicitations') return modesOf(member)
      if (key === 'requestedSchema') return withoutTitles(member)
      if (key === 'data' && isOnlyIssues(member)) return undefined
      if (key === 'blob') return maskText(decodeText(String(member)))
      return typeof member === 'string' ? maskText(member) : member
    }),
  )
}

/** Which page has to be opened first, and what is said about it, is each server's own. */
function modesOf(elicitations: unknown): unknown {
  if (!Array.isArray(elicitations)) return elicitations
  return elicitations.map(({ mode }: { mode?: unknown }) => mode)
}

/** How a field or a choice is called is each server's own; what can be chosen is not. */
function withoutTitles(form: unknown): unknown {
  return JSON.parse(
    JSON.stringify(form, (key, member: unknown) =>
      key === 'description' ||
      key === 'enumNames' ||
      (key === 'title' && typeof member === 'string')
        ? undefined
        : member,
    ),
  )
}

/** A server may say more about bad arguments than that they are. */
function isOnlyIssues(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.keys(data).join() === 'issues'
}

/** Of bytes that are text; others stay as they are. */
function decodeText(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('utf8')
  return text.includes('created at') ? text : base64
}

function maskText(text: string): string {
  const sampled = /^LLM sampling result: \n(.*)$/s.exec(text)
  if (sampled?.[1] !== undefined) return maskJson(sampled[1])
  return text
    .replace(/\d{1,2}:\d\d:\d\d [AP]M/, 'TIME')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/^iVBORw0KGgo.*$/, 'PNG')
    .replace(/^MCP error -?\d+: (Input validation error: )?/, '')
    .replace(/^(Invalid arguments for \w+ [\w-]+):.*$/s, '$1')
    .replace(/^(This request requires|Another page has to be) .*$/, 'a page first')
    .replace(/\n\nNote: .*$/s, '')
    .replace(/^(unknown prompt: |Prompt )(\S+)( not found)?$/, 'no prompt $2')
    .replace(/^(St\w+ simulated resource update).*$/s, '$1')
    .replace(/^(Stopped simulated \w+) for .*$/, '$1')
    .replace(/(?<=\*\*Result:\*\*\n|Raw result: )\{.*\}$/s, maskJson)
    .replace(/^(❌|⚠️) .* \(Elicitation ID: (.*)\)\.$/, '$1 … $2')
    .replace(/^✅ .*\nElicitation ID: /, '✅ …\nElicitation ID: ')
}

/** JSON in a text, whatever the order of its members. */
function maskJson(json: string): string {
  return JSON.stringify(
    sortMembers(JSON.parse(json, (key, value: unknown) => (key === '_meta' ? undefined : value))),
  )
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
