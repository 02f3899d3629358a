import { existsSync, readdirSync, readFileSync } from 'node:fs'

import { parse } from 'yaml'

/** Beside the repository, or beside the folder of worktrees it lies in. */
const folder = ['../../../../shared/spec/registry/', '../../../../../shared/spec/registry/']
  .map((place) => new URL(place, import.meta.url))
  .find((place) => existsSync(place))

/** No package carries the description of the API: what needs it runs where the specification lies beside this repository. */
export const hasSpecification = folder !== undefined

/** The description of the generic API, as far as tests look at it. */
export interface ApiDescription {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly responses: { readonly [status: string]: { readonly content: ResponseContent } }
      }
    }
  }
  readonly components: object
}

/** No interface: those are not taken for tables. */
type ResponseContent = { readonly 'application/json': { readonly schema: object } }

export function readApiDescription(): ApiDescription {
  if (folder === undefined) return { paths: {}, components: {} }
  return parse(readFileSync(new URL('openapi.yaml', folder), 'utf8')) as ApiDescription // a published document of this shape
}

/** The examples of documents, by file name. */
export function readExamples(): readonly (readonly [name: string, document: object])[] {
  if (folder === undefined) return []
  const examples = new URL('examples/', folder)
  return readdirSync(examples)
    .filter((name) => /^\d\d-/.test(name))
    .map(
      (name) =>
        [name, JSON.parse(readFileSync(new URL(name, examples), 'utf8')) as object] as const,
    ) // documents are objects
}

/** The published schema of documents. */
export function readServerSchema(date: string): object {
  if (folder === undefined) return {}
  const file = new URL(`schemas/${date}/server.schema.json`, folder)
  return JSON.parse(readFileSync(file, 'utf8')) as object // a schema is an object
}
