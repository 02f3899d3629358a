import { officialKey } from '../document/server-document.ts'
import type { StoredEntry } from '../storage/entry.ts'

/** Where this registry says what it noticed: names that look like another one. */
const flagsKey = 'dev.parley.registry/flags'

/** A version as the API answers with it. Put together as text, since the document is text already. */
export function entryJson(entry: StoredEntry): string {
  return `{"server":${entry.document},"_meta":${metaJson(entry)}}`
}

function metaJson(entry: StoredEntry): string {
  if (entry.upstream !== undefined) return mirroredMetaJson(entry, entry.upstream)
  const { status, statusMessage, statusChangedAt, publishedAt, updatedAt, isLatest, flags } = entry
  const official = JSON.stringify({
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    statusChangedAt,
    publishedAt,
    updatedAt,
    isLatest,
  })
  const own = flags === undefined ? '' : `,${JSON.stringify(flagsKey)}:${flags}`
  return `{${JSON.stringify(officialKey)}:${official}${own}}`
}

/** What the source said, unchanged; only which version is the latest is known better here. */
function mirroredMetaJson({ isLatest }: StoredEntry, upstream: string): string {
  const meta = JSON.parse(upstream) as { readonly [key: string]: object } // an object, as it was stored
  return JSON.stringify({ ...meta, [officialKey]: { ...meta[officialKey], isLatest } })
}

/** A list of versions with its metadata. */
export function listJson(
  entries: readonly StoredEntry[],
  metadata: { readonly count: number; readonly nextCursor?: string },
): string {
  return `{"servers":[${entries.map(entryJson).join(',')}],"metadata":${JSON.stringify(metadata)}}`
}
