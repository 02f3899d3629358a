import type { ServerDocument } from '../document/server-document.ts'
import { plainWords } from './listed-entries.ts'
import type { Flavour, SearchWords, Writing } from './tables.ts'

/** Words of one document that are searched. */
const mostWordCharacters = 2_000

/** Lists a version: it is found by its words and facets. */
export async function addToIndex(
  writing: Writing,
  flavour: Flavour,
  id: number,
  document: ServerDocument,
): Promise<void> {
  await flavour.addWords(writing, id, wordsOf(document))
  const facets = facetsOf(document)
  const { name, title = '', description } = document
  await writing
    .insertInto('server_facets')
    .values(facets.map(([facet, value]) => ({ id, facet, value })))
    .execute()
  await writing
    .insertInto('server_listed')
    .values({
      id,
      name: plainWords(name),
      title: plainWords(title),
      description: plainWords(description),
      facets: facets.map((pair) => pair.join('\t')).join('\n'),
    })
    .execute()
}

/** A version that is not the latest, or deleted, is not listed. */
export async function removeFromIndex(
  writing: Writing,
  flavour: Flavour,
  id: number,
): Promise<void> {
  await flavour.removeWords(writing, id)
  await writing.deleteFrom('server_facets').where('id', '=', id).execute()
  await writing.deleteFrom('server_listed').where('id', '=', id).execute()
}

function wordsOf(document: ServerDocument): SearchWords {
  const { name, title = '', description, packages = [], repository } = document
  const more = [
    ...packages.flatMap(({ registryType, identifier }) => [registryType, identifier]),
    repository?.url ?? '',
  ]
  return {
    name: splitWords(name),
    title,
    description,
    more: splitWords(more.join(' ')).slice(0, mostWordCharacters),
  }
}

/** Both databases would take `io.github.ada/weather-map` for one or two words. */
function splitWords(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** What a document is filtered by; every facet has at least one value. */
export function facetsOf(document: ServerDocument): readonly (readonly [string, string])[] {
  const { name, packages = [], remotes = [] } = document
  const transports = [...packages.map(({ transport }) => transport), ...remotes]
  const isAskingSecrets = [
    ...packages.flatMap(({ environmentVariables = [], packageArguments = [] }) => [
      ...environmentVariables,
      ...packageArguments,
    ]),
    ...remotes.flatMap(({ headers = [] }) => headers),
  ].some(({ isSecret }) => isSecret === true)
  const pairs = [
    ...packages.map(({ registryType }) => ['registryType', registryType] as const),
    ...packages.flatMap(({ runtimeHint }) =>
      runtimeHint === undefined ? [] : [['runtime', runtimeHint] as const],
    ),
    ...transports.map(({ type }) => ['transport', type] as const),
    ['remote', remotes.length > 0 ? 'yes' : 'no'] as const,
    ['secrets', isAskingSecrets ? 'yes' : 'no'] as const,
    ['publisher', name.slice(0, name.indexOf('/'))] as const,
  ]
  // A mirrored document may have anything in these.
  const lines = pairs.map(([facet, value]) => [facet, value.replaceAll(/[\t\n]/g, ' ')] as const)
  return [...new Map(lines.map((pair) => [pair.join('\n'), pair])).values()]
}

/** The facets, in the order they are shown. */
export const facetNames = [
  'registryType',
  'transport',
  'runtime',
  'remote',
  'secrets',
  'publisher',
] as const
