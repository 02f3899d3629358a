/** Entries as the page shows them. Publishers are strangers: everything can be of any shape, so each look narrows. */

import { listOf, recordOf, textOf } from '@parley/page/json'

/** A package or a remote. */
export interface EntryTarget {
  /** `npm`, or the kind of a remote. */
  readonly kind: string
  /** The identifier, or the URL. */
  readonly title: string
  readonly version: string | undefined
  readonly transport: string
  readonly runtime: string | undefined
  readonly hash: string | undefined
}

/** How a publisher signed in. */
export interface Proof {
  readonly method: string
  readonly domain: string | undefined
  readonly at: number | undefined
}

/** One version of a server. */
export interface Entry {
  readonly name: string
  readonly version: string
  readonly title: string | undefined
  readonly description: string
  readonly website: string | undefined
  readonly repository: string | undefined
  /** The first icon that can be fetched. */
  readonly icon: string | undefined
  readonly packages: readonly EntryTarget[]
  readonly remotes: readonly EntryTarget[]
  readonly status: string
  readonly statusMessage: string | undefined
  readonly isLatest: boolean
  readonly publishedAt: number | undefined
  readonly updatedAt: number | undefined
  /** What the registry noticed: names that look alike. */
  readonly flags: readonly string[]
  /** How the publisher proved the name; undefined where this registry does not know. */
  readonly proof: Proof | undefined
  /** The registry it was mirrored from. */
  readonly source: string | undefined
  /** What else stands beside it, by publisher and registries. */
  readonly meta: { readonly [key: string]: unknown }
  /** The `server.json`. */
  readonly document: { readonly [name: string]: unknown }
}

const officialKey = 'io.modelcontextprotocol.registry/official'
const flagsKey = 'dev.parley.registry/flags'
const checksKey = 'dev.parley.registry/checks'
const sourceKey = 'dev.parley.registry/source'

/** One version, from an answer. */
export function readEntry(value: unknown): Entry {
  const { server, _meta: meta } = recordOf(value)
  const document = recordOf(server)
  const { [officialKey]: official, [flagsKey]: flags, ...rest } = recordOf(meta)
  const { [checksKey]: checks, [sourceKey]: source, ...others } = rest
  const about = recordOf(official)
  return {
    name: textOf(document['name']) ?? '',
    version: textOf(document['version']) ?? '',
    title: textOf(document['title']),
    description: textOf(document['description']) ?? '',
    website: textOf(document['websiteUrl']),
    repository: textOf(recordOf(document['repository'])['url']),
    icon: listOf(document['icons'])
      .flatMap((item) => textOf(recordOf(item)['src']) ?? [])
      .find((src) => /^https:\/\//i.test(src)),
    packages: listOf(document['packages']).map(readPackage),
    remotes: listOf(document['remotes']).map(readRemote),
    status: textOf(about['status']) ?? 'active',
    statusMessage: textOf(about['statusMessage']),
    isLatest: about['isLatest'] === true,
    publishedAt: readTime(about['publishedAt']),
    updatedAt: readTime(about['updatedAt']),
    flags: listOf(flags).flatMap((flag) => textOf(flag) ?? []),
    proof: readProof(checks),
    source: textOf(source),
    meta: { ...others, ...recordOf(document['_meta']) },
    document,
  }
}

/** All versions, from an answer with a list. */
export function readEntries(value: unknown): readonly Entry[] {
  return listOf(recordOf(value)['servers']).map(readEntry)
}

function readPackage(value: unknown): EntryTarget {
  const record = recordOf(value)
  return {
    kind: textOf(record['registryType']) ?? 'package',
    title: textOf(record['identifier']) ?? '',
    version: textOf(record['version']),
    transport: textOf(recordOf(record['transport'])['type']) ?? '',
    runtime: textOf(record['runtimeHint']),
    hash: textOf(record['fileSha256']),
  }
}

function readRemote(value: unknown): EntryTarget {
  const record = recordOf(value)
  return {
    kind: textOf(record['type']) ?? 'remote',
    title: textOf(record['url']) ?? '',
    version: undefined,
    transport: textOf(record['type']) ?? '',
    runtime: undefined,
    hash: undefined,
  }
}

function readProof(checks: unknown): Proof | undefined {
  const publisher = listOf(checks)
    .map(recordOf)
    .find(({ kind }) => kind === 'publisher')
  const method = textOf(publisher?.['method'])
  if (publisher === undefined || method === undefined) return undefined
  return { method, domain: textOf(publisher['domain']), at: readTime(publisher['at']) }
}

function readTime(value: unknown): number | undefined {
  const time = Date.parse(textOf(value) ?? '')
  return Number.isNaN(time) ? undefined : time
}
