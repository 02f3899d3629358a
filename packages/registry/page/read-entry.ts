/** Entries as the page shows them. Publishers are strangers: everything can be of any shape, so each look narrows. */

import { listOf, recordOf, textOf } from '@parley/page/json'

/** Something a server has to be told: an argument, a variable or a header. */
export interface EntryInput {
  readonly name: string
  readonly description: string | undefined
  /** What it is when nobody says otherwise, or always. */
  readonly value: string | undefined
  readonly isRequired: boolean
  readonly isSecret: boolean
}

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
  readonly inputs: readonly EntryInput[]
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
  /** What else stands beside it, by publisher and registries. */
  readonly meta: { readonly [key: string]: unknown }
  /** The `server.json`. */
  readonly document: { readonly [name: string]: unknown }
}

const officialKey = 'io.modelcontextprotocol.registry/official'
const flagsKey = 'dev.parley.registry/flags'

/** One version, from an answer. */
export function readEntry(value: unknown): Entry {
  const { server, _meta: meta } = recordOf(value)
  const document = recordOf(server)
  const { [officialKey]: official, [flagsKey]: flags, ...others } = recordOf(meta)
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
  const inputs = ['runtimeArguments', 'packageArguments', 'environmentVariables'].flatMap((field) =>
    listOf(record[field]).map(readInput),
  )
  return {
    kind: textOf(record['registryType']) ?? 'package',
    title: textOf(record['identifier']) ?? '',
    version: textOf(record['version']),
    transport: textOf(recordOf(record['transport'])['type']) ?? '',
    runtime: textOf(record['runtimeHint']),
    hash: textOf(record['fileSha256']),
    inputs,
  }
}

function readRemote(value: unknown): EntryTarget {
  const record = recordOf(value)
  const variables = Object.entries(recordOf(record['variables'])).map(([name, input]) =>
    readInput({ ...recordOf(input), name }),
  )
  return {
    kind: textOf(record['type']) ?? 'remote',
    title: textOf(record['url']) ?? '',
    version: undefined,
    transport: textOf(record['type']) ?? '',
    runtime: undefined,
    hash: undefined,
    inputs: [...variables, ...listOf(record['headers']).map(readInput)],
  }
}

function readInput(value: unknown): EntryInput {
  const record = recordOf(value)
  const input = textOf(record['value'])
  return {
    name: textOf(record['name']) ?? textOf(record['valueHint']) ?? input ?? 'argument',
    description: textOf(record['description']),
    value: input ?? textOf(record['default']),
    isRequired: record['isRequired'] === true,
    isSecret: record['isSecret'] === true,
  }
}

function readTime(value: unknown): number | undefined {
  const time = Date.parse(textOf(value) ?? '')
  return Number.isNaN(time) ? undefined : time
}
