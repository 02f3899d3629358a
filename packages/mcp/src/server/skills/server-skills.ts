import { readParams } from '../../rpc/errors/invalid-params.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import * as s from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import { listParams } from '../../schema/pagination.ts'
import { skillsExtension } from '../../schema/skills/skill.ts'
import type { RequestContext } from '../context.ts'
import type { ServerExtension } from '../extensions.ts'
import { invalidDefinition } from '../feature.ts'
import { listProblem, cacheHints, type CacheHint } from '../lists/cache-hint.ts'
import { defineResource } from '../resources/resources.ts'
import { createCatalogue, type Catalogue, type CatalogueReading } from './catalogue.ts'
import { loadPage } from './load-page.ts'
import { orReport, report } from './report.ts'
import { checkContents, createSkillFiles } from './skill-files.ts'
import { listResources, readContents, resourceOf } from './skill-resources.ts'
import type { SkillSource } from './skill-source.ts'

/** Options of `serverSkills`. */
export interface ServerSkillsOptions {
  /** A function is called for each request; what is known about a skill is kept while it returns the same object. */
  readonly skills: readonly SkillSource[] | (() => Promise<readonly SkillSource[]>)
  /** How long clients may cache lists and files. @defaultValue not at all */
  readonly cache?: CacheHint | undefined
  /** Pages are also cut at 1 MiB. @defaultValue 1_000 */
  readonly pageSize?: number | undefined
}

/** Serves skills. Files are read when they are requested; digests are computed here. */
export function serverSkills({
  skills,
  cache,
  pageSize = 1_000,
}: ServerSkillsOptions): ServerExtension {
  checkOptions(cache, pageSize)
  const files = createSkillFiles()
  const load =
    typeof skills === 'function' ? async () => createCatalogue(await skills()) : fix(skills)
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
function fix(skills: readonly SkillSource[]): () => Promise<CatalogueReading> {
  const reading = createCatalogue(skills)
  if (reading.problems[0]) throw reading.problems[0]
  for (const file of reading.catalogue.files.values()) checkContents(file)
  return () => Promise.resolve(reading)
}

const uriParams = s.object<{ readonly uri: string; readonly cursor?: string }>({
  uri: s.string,
  cursor: s.optional(s.string),
})

function invalidParams(why: string): RpcError<'invalid_params'> {
  return new RpcError('invalid_params', why)
}
