import { isJsonObject } from '@parley/mcp/json'

import { readTime } from '../api/query-parameters.ts'
import {
  officialKey,
  type OfficialMetadata,
  type ServerDocument,
  type ServerStatus,
} from '../document/server-document.ts'
import { maxUnknownBytes } from '../validation/document-rules.ts'
import { countUnknownBytes } from '../validation/server-schema.ts'
import { findVersionProblem } from '../validation/version-rules.ts'
import type { MirroredEntry } from './mirror-entries.ts'

/** A page of a source, as far as it can be taken. */
export interface SourcePage {
  readonly entries: readonly MirroredEntry[]
  readonly count: number
  /** Why rows were not taken. */
  readonly refused: readonly string[]
  readonly nextCursor: string | undefined
}

/** Bytes of one document. */
const maxDocument = 256 * 1024

/** Reads what a source answered. Nothing of it is believed: a row of another shape is left out. */
export function readPage(value: unknown): SourcePage | undefined {
  if (!isJsonObject(value) || !Array.isArray(value['servers'])) return undefined
  const { servers, metadata } = value
  const rows = (servers as readonly unknown[]).map(readRow) // an array, as was just seen
  const next = isJsonObject(metadata) ? metadata['nextCursor'] : undefined
  return {
    count: rows.length,
    entries: rows.filter((row): row is MirroredEntry => typeof row === 'object'),
    refused: rows.filter((row): row is string => typeof row === 'string'),
    nextCursor: typeof next === 'string' && next !== '' ? next : undefined,
  }
}

function readRow(row: unknown): MirroredEntry | string {
  if (!isJsonObject(row) || !isJsonObject(row['server'])) return 'a row has no server'
  const { server, _meta: meta } = row
  const { name, version, description } = server
  if (typeof name !== 'string' || !isName(name)) {
    return 'a row has no name'
  }
  if (typeof version !== 'string' || version === '' || version.length > 255) {
    return `${name} has no version`
  }
  const problem = findVersionProblem(version)
  if (problem !== undefined)
    return `${name}: the version ${JSON.stringify(version)} is refused: ${problem}`
  if (typeof description !== 'string') return `${name}@${version} has no description`
  if (countUnknownBytes(server) > maxUnknownBytes) {
    return `${name}@${version} has more than ${maxUnknownBytes} bytes in fields that the format does not have`
  }
  const text = JSON.stringify(row)
  if (text.length > maxDocument)
    return `${name}@${version} is longer than ${maxDocument} characters`
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(text)) return `${name}@${version} contains U+0000`
  const { remotes = [], packages = [] } = server
  const isListOfObjects = (list: unknown) => Array.isArray(list) && list.every(isJsonObject)
  if (!isListOfObjects(remotes) || !isListOfObjects(packages)) {
    return `${name}@${version} has packages or remotes of another shape`
  }
  const hasTransports = (packages as readonly { readonly [field: string]: unknown }[]).every(
    (entry) => isJsonObject(entry['transport']),
  ) // records, as was just seen
  if (!hasTransports) return `${name}@${version} has a package without transport`
  const link = findHostileLink(server)
  if (link !== undefined) return `${name}@${version} has ${link}, which is not a web address`
  const official = readOfficial(isJsonObject(meta) ? meta[officialKey] : undefined)
  if (official === undefined) return `${name}@${version} has no metadata of its registry`
  // What is read of it elsewhere was looked at above.
  const document = server as unknown as ServerDocument
  return { document, official, meta: isJsonObject(meta) ? meta : {} }
}

/** Links are shown to people, and remotes are connected to: `javascript:`, `file:` and the like are for neither. */
function findHostileLink(server: { readonly [field: string]: unknown }): string | undefined {
  const { websiteUrl, repository, icons, remotes } = server
  const of = (value: unknown, field: string) => (isJsonObject(value) ? value[field] : undefined)
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const links = [
    ['websiteUrl', websiteUrl],
    ['repository.url', of(repository, 'url')],
    ...list(icons).map((icon, at) => [`icons[${at}].src`, of(icon, 'src')] as const),
    ...list(remotes).map((remote, at) => [`remotes[${at}].url`, of(remote, 'url')] as const),
  ] as const
  const isWeb = (link: unknown) =>
    link === undefined ||
    (typeof link === 'string' && /^(?:https?:\/\/|\{\w+\}|data:image\/)/i.test(link))
  return links.find(([, link]) => !isWeb(link))?.[0]
}

function readOfficial(value: unknown): OfficialMetadata | undefined {
  if (!isJsonObject(value)) return undefined
  const { status, statusMessage, isLatest } = value
  const publishedAt = timeOf(value['publishedAt'])
  const updatedAt = timeOf(value['updatedAt']) ?? publishedAt
  if (!isStatus(status) || publishedAt === undefined || updatedAt === undefined) return undefined
  return {
    status,
    ...(typeof statusMessage === 'string' && { statusMessage: statusMessage.slice(0, 500) }),
    statusChangedAt: timeOf(value['statusChangedAt']) ?? publishedAt,
    publishedAt,
    updatedAt,
    isLatest: isLatest === true,
  }
}

/** Letters or digits at both ends of each side: no part of a path can be made of it that leads elsewhere. */
function isName(name: string): boolean {
  const side = '[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?'
  return name.length <= 200 && new RegExp(`^${side}/${side}$`).test(name)
}

function timeOf(value: unknown): string | undefined {
  return typeof value === 'string' ? readTime(value) : undefined
}

function isStatus(value: unknown): value is ServerStatus {
  return value === 'active' || value === 'deprecated' || value === 'deleted'
}
