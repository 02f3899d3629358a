import { officialKey } from '../document/server-document.ts'
import type { StoredEntry } from '../storage/entry.ts'

/** Where this registry says what it noticed: names that look like another one. */
const flagsKey = 'dev.parley.registry/flags'

/** Which source a version was mirrored from; one that was published here has none. */
const sourceKey = 'dev.parley.registry/source'

const checksKey = 'dev.parley.registry/checks'

/** A version as the API answers with it. Put together as text, since the document is text already. */
export function entryJson(entry: StoredEntry): string {
  return `{"server":${entry.document},"_meta":${metaJson(entry)}}`
}

function metaJson(entry: StoredEntry): string {
  if (entry.upstream !== undefined) return mirroredMetaJson(entry, entry.upstream)
  const { statusChangedAt, publishedAt, updatedAt, isLatest, flags, checks, overlay } = entry
  const official = JSON.stringify({
    ...statusOf(entry),
    statusChangedAt,
    publishedAt,
    updatedAt,
    isLatest,
  })
  const own = flags === undefined ? '' : `,${JSON.stringify(flagsKey)}:${flags}`
  const checked = checks === undefined ? '' : `,${JSON.stringify(checksKey)}:${checks}`
  const more = overlay === undefined || overlay === '{}' ? '' : `,${overlay.slice(1, -1)}`
  return `{${JSON.stringify(officialKey)}:${official}${own}${checked}${more}}`
}

/** What is hidden by a rule looks deleted: that is how the API has mirrors drop it. */
function statusOf({ status, statusMessage, hidden, hiddenReason }: StoredEntry): object {
  if (hidden === 1)
    return { status: 'deleted', ...(hiddenReason && { statusMessage: hiddenReason }) }
  return { status, ...(statusMessage !== undefined && { statusMessage }) }
}

/** What the source said, unchanged; only what rules of this registry say, and which version is the latest, is known better here. */
function mirroredMetaJson(entry: StoredEntry, upstream: string): string {
  const { isLatest, hidden, flags, overlay, source } = entry
  const meta = JSON.parse(upstream) as { readonly [key: string]: object } // an object, as it was stored
  const official = { ...meta[officialKey], ...(hidden === 1 && statusOf(entry)), isLatest }
  return JSON.stringify({
    ...meta,
    [officialKey]: official,
    [sourceKey]: source,
    ...(flags !== undefined && { [flagsKey]: JSON.parse(flags) as unknown }),
    ...(overlay !== undefined && (JSON.parse(overlay) as object)), // an object, as it was stored
  })
}

/** A list of versions with its metadata. */
export function listJson(
  entries: readonly StoredEntry[],
  metadata: { readonly count: number; readonly nextCursor?: string },
): string {
  return `{"servers":[${entries.map(entryJson).join(',')}],"metadata":${JSON.stringify(metadata)}}`
}
