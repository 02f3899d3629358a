/**
 * `serverSkills()`: the methods of the skills extension, and skills as resources. Lists are paged, and a file is loaded only if its page
 * needs it.
 *
 * What a skill consists of is in `catalogue.ts`; loading, digests and checks are in `skill-files.ts`. One invalid skill is reported and left
 * out, and does not hide the others.
 */

import { readParams } from '../../rpc/errors/invalid-params.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { encodeBase64 } from '../../schema/base64.ts'
import * as s from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json.ts'
import { listParams } from '../../schema/pagination.ts'
import type { Resource, ResourceContents } from '../../schema/resources.ts'
import type { ParseFrontmatter } from '../../schema/skills/frontmatter.ts'
import { skillsExtension } from '../../schema/skills/skill.ts'
import { reportUnexpected } from '../calls/report-fault.ts'
import type { CallContext, RequestContext } from '../context.ts'
import type { ServerExtension } from '../extensions.ts'
import { invalidDefinition } from '../feature.ts'
import { listProblem, cacheHints, type CacheHint } from '../lists/lists.ts'
import { defaultPageBytes, readCursor, startBehind, writeCursor } from '../lists/pagination.ts'
import { defineResource } from '../resources/resources.ts'
import {
  type Catalogue,
  type SkillFile,
  createCatalogue,
  type CatalogueReading,
} from './catalogue.ts'
import {
  textOf,
  type SkillFiles,
  checkContents,
  createSkillFiles,
  type SkillSource,
} from './skill-files.ts'

/** How a page is made of items that are loaded only if the page needs them. */
export interface PageOptions<Item> {
  readonly cursor: string | undefined
  readonly pageSize: number
  /** Undefined leaves the item out. */
  load(key: string): Promise<Item | undefined>
}

/** One page of a list. */
export interface LoadedPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/** Loads the items of the page after a cursor. */
async function loadPage<Item>(
  keys: readonly string[],
  { cursor, pageSize, load }: PageOptions<Item>,
): Promise<LoadedPage<Item>> {
  const positions = keys.map((key, index) => ({ order: 0, index, key }))
  const start = cursor === undefined ? 0 : startBehind(readCursor(cursor), positions)
  const items: Item[] = []
  let bytes = 0
  for (const [offset, key] of keys.slice(start).entries()) {
    const here = positions[start + offset - 1]
    if (items.length === pageSize && here) return { items, nextCursor: writeCursor(here) }
    const item = await load(key)
    if (item === undefined) continue
    bytes += JSON.stringify(item).length
    // An item larger than a page gets its own.
    if (bytes > defaultPageBytes && items.length > 0 && here) {
      return { items, nextCursor: writeCursor(here) }
    }
    items.push(item)
  }
  return { items }
}

/** The result, or undefined after an error, which is reported: one bad skill does not hide the others. */
async function orReport<T>(pending: Promise<T>, context: RequestContext): Promise<T | undefined> {
  try {
    return await pending
  } catch (error) {
    report(error, context)
    return undefined
  }
}

/** Reports to `onError` only. */
function report(error: unknown, context: RequestContext): void {
  reportUnexpected(error, (context as CallContext).call) // every context of a request is one
}

/** Every file, as `resources/list` shows it. */
async function* listResources(
  load: () => Promise<Catalogue>,
  files: SkillFiles,
  context: RequestContext,
): AsyncGenerator<Resource> {
  const catalogue = await load()
  for (const uri of catalogue.files.keys()) {
    const resource = await orReport(resourceOf(uri, catalogue, files), context)
    if (resource) yield resource
  }
}

/** A file or a folder as lists show it; a skill's own file by what the skill says about itself. */
async function resourceOf(
  uri: string,
  { skills, files }: Catalogue,
  contents: SkillFiles,
): Promise<Resource> {
  const file = files.get(uri)
  const skill = skills.get(uri)
  if (file === undefined) return { uri, name: lastPart(uri), mimeType: 'inode/directory' }
  const { name, mimeType } = file
  const described = skill && (await contents.frontmatter(skill))
  return {
    uri,
    name: described?.name ?? name,
    ...(described && { description: described.description }),
    ...(mimeType !== undefined && { mimeType }),
  }
}

function lastPart(uri: string): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))
}

/** The contents of a file, as text where it is text. */
function readContents({ uri, mimeType }: SkillFile, bytes: Uint8Array): ResourceContents {
  const text = textOf(bytes, mimeType)
  return text === undefined
    ? { uri, mimeType: mimeType ?? 'application/octet-stream', blob: encodeBase64(bytes) }
    : { uri, mimeType: mimeType ?? 'text/plain', text }
}

/** Options of `serverSkills`. */
export interface ServerSkillsOptions {
  /** A function is called for each request; what is known about a skill is kept while it returns the same object. */
  readonly skills: readonly SkillSource[] | (() => Promise<readonly SkillSource[]>)
  /** How long clients may cache lists and files. @defaultValue not at all */
  readonly cache?: CacheHint | undefined
  /** Pages are also cut at 1 MiB. @defaultValue 1_000 */
  readonly pageSize?: number | undefined
  /** Parses the YAML of a `SKILL.md`. @defaultValue a reader of the YAML that skills usually have */
  readonly parseFrontmatter?: ParseFrontmatter | undefined
}

/** Serves skills. Files are read when they are requested; digests are computed here. */
export function serverSkills({
  skills,
  cache,
  pageSize = 1_000,
  parseFrontmatter,
}: ServerSkillsOptions): ServerExtension {
  checkOptions(cache, pageSize)
  const files = createSkillFiles(parseFrontmatter)
  const load =
    typeof skills === 'function'
      ? async () => createCatalogue(await skills())
      : fix(skills, parseFrontmatter)
  const hints = cacheHints(cache ?? { ttlMs: 0 })

  async function current(): Promise<Catalogue> {
    return (await load()).catalogue
  }
  /** A skill that cannot be served is left out, and reported. */
  async function listed(context: RequestContext): Promise<Catalogue> {
    const { catalogue, problems } = await load()
    for (const problem of problems) report(problem, context)
    return catalogue
  }

  return {
    id: skillsExtension,
    settings: { directoryRead: true },
    features: [
      defineResource(
        'skill://{+path}',
        {
          name: 'skills',
          description: 'The files of skills',
          cache,
          list: (context) => listResources(() => listed(context), files, context),
        },
        async (_, { uri }) => {
          const file = (await current()).files.get(uri)
          return file && readContents(file, await files.read(file))
        },
      ),
    ],
    methods: {
      async 'skills/list'(params, context) {
        const { cursor } = readParams('skills/list', listParams, params)
        const catalogue = await listed(context)
        const { items, ...rest } = await loadPage([...catalogue.skills.keys()], {
          cursor,
          pageSize,
          load: (uri) => orReport(describe(catalogue, uri), context),
        })
        return { skills: items as readonly object[] as JsonObject[], ...rest, ...hints } // plain, as all below
      },

      async 'skills/get'(params) {
        const { uri } = readParams('skills/get', uriParams, params)
        const skill = await describe(await current(), uri)
        if (skill === undefined) throw invalidParams(`no skill is served at ${uri}`)
        return { skill: skill as object as JsonObject, ...hints }
      },

      async 'resources/directory/read'(params, context) {
        const { uri, cursor } = readParams('resources/directory/read', uriParams, params)
        const catalogue = await current()
        const children = catalogue.folders.get(uri)
        if (children === undefined) throw invalidParams(`${uri} is not a directory`)
        const { items, ...rest } = await loadPage([...children], {
          cursor,
          pageSize,
          load: (child) => orReport(resourceOf(child, catalogue, files), context),
        })
        return { resources: items as readonly object[] as JsonObject[], ...rest }
      },
    },
  }

  async function describe(catalogue: Catalogue, uri: string) {
    const skill = catalogue.skills.get(uri)
    return skill && files.describe(skill)
  }
}

function checkOptions(cache: CacheHint | undefined, pageSize: number): void {
  const problem = listProblem(cache, pageSize)
  if (problem !== undefined) throw invalidDefinition('skills', problem)
}

/** A fixed list is checked at once, so that mistakes show before the first request. */
function fix(
  skills: readonly SkillSource[],
  parse: ParseFrontmatter | undefined,
): () => Promise<CatalogueReading> {
  const reading = createCatalogue(skills)
  if (reading.problems[0]) throw reading.problems[0]
  for (const file of reading.catalogue.files.values()) checkContents(file, parse)
  return () => Promise.resolve(reading)
}

const uriParams = s.object<{ readonly uri: string; readonly cursor?: string }>({
  uri: s.string,
  cursor: s.optional(s.string),
})

function invalidParams(why: string): RpcError<'invalid_params'> {
  return new RpcError('invalid_params', why)
}
