import { readableJson } from '../api/answer.ts'
import type { Operation, OperationCall, RegistryContext } from '../api/operation.ts'
import { readDocument } from '../document/read-document.ts'
import { isListed, type StoredEntry } from '../storage/entry.ts'
import { readLastChanges } from '../storage/read-changes.ts'

const query = {
  publisher: { type: 'string' },
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
} as const

const atom: Operation = {
  method: 'GET',
  path: 'x/feed.atom',
  summary: 'The last changes as an Atom feed',
  query,
  effort: 'read',
  isWriting: false,
  async run(call, parts) {
    const { base, items } = await readItems(call, parts)
    const self = escapeXml(`${base}/v0.1/x/feed.atom`)
    const updated = items[0]?.at ?? '1970-01-01T00:00:00.000Z'
    const entries = items.map(
      (
        item,
      ) => `<entry><id>${escapeXml(item.id)}</id><title>${escapeXml(item.title)}</title><updated>${item.at}</updated>
<link href="${escapeXml(item.url)}"/><author><name>${escapeXml(item.publisher)}</name></author><summary>${escapeXml(item.summary)}</summary></entry>`,
    )
    const xml = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${self}</id><title>Changes of an MCP registry</title><updated>${updated}</updated>
<link rel="self" href="${self}"/>
${entries.join('\n')}
</feed>
`
    const { request, isPublic } = call
    return readableJson(request, xml, isPublic, 'application/atom+xml')
  },
}

/** For people who follow a registry with a reader. */
export const feedOperations: readonly Operation[] = [atom]

async function readItems(call: OperationCall, { database, url }: RegistryContext) {
  const limit = call.query.integer('limit', { least: 1, most: 100 }) ?? 50
  const entries = await readLastChanges(database.queries, limit, call.query.text('publisher'))
  const base = (url?.href ?? new URL(call.request.url).origin).replace(/\/+$/, '')
  return { base, items: entries.map((entry) => itemOf(entry, base)) }
}

function itemOf(entry: StoredEntry, base: string) {
  const { name, version, updatedAt: at, sequence } = entry
  const url = `${base}/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`
  return {
    id: `${url}#${sequence}`,
    url: isListed(entry) ? url : `${url}?include_deleted=true`,
    title: `${name} ${version}${stateOf(entry)}`,
    summary: readDocument(entry.document).description,
    publisher: name.slice(0, name.indexOf('/')),
    at,
  }
}

function stateOf({ status, statusMessage, hidden, hiddenReason }: StoredEntry): string {
  const [state, why] = hidden === 1 ? ['hidden', hiddenReason] : [status, statusMessage]
  if (state === 'active') return ''
  return why === undefined ? `: ${state}` : `: ${state} (${why})`
}

/** Signs that XML does not have are left out. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
