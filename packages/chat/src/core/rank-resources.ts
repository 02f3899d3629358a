/** What ranking looks at, of a resource. */
export interface RankedResource {
  readonly server: string
  readonly uri: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** In bytes. */
  readonly size?: number | undefined
  readonly annotations?:
    | {
        readonly audience?: readonly string[] | undefined
        readonly priority?: number | undefined
        readonly lastModified?: string | undefined
      }
    | undefined
}

/**
 * Those that have every word of the query, the best first: what is meant for the model before what is meant for people
 * alone, then by priority, then by how new it is, then by name.
 */
export function rankResources<Resource extends RankedResource>(
  resources: readonly Resource[],
  query = '',
): readonly Resource[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return resources.filter((resource) => hasWords(resource, words)).toSorted(compare)
}

/** Whether a server says that the model needs it: for the model, and of the highest priority. */
export function isImportant({ annotations = {} }: RankedResource): boolean {
  const { audience, priority = 0 } = annotations
  return priority >= 0.9 && audience?.includes('assistant') === true
}

/** Which part of a window it would take, by a rough count; undefined if its size is not known. */
export function shareOfWindow({ size }: RankedResource, windowTokens: number): number | undefined {
  return size === undefined || windowTokens <= 0 ? undefined : size / 4 / windowTokens
}

function hasWords(
  { name, title = '', uri, server, description = '' }: RankedResource,
  words: readonly string[],
) {
  const text = `${name} ${title} ${uri} ${server} ${description}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function compare(a: RankedResource, b: RankedResource): number {
  return (
    Number(isForPeople(a)) - Number(isForPeople(b)) ||
    (b.annotations?.priority ?? 0.5) - (a.annotations?.priority ?? 0.5) ||
    timeOf(b) - timeOf(a) ||
    (a.title ?? a.name).localeCompare(b.title ?? b.name)
  )
}

function isForPeople({ annotations }: RankedResource): boolean {
  const audience = annotations?.audience
  return audience !== undefined && audience.length > 0 && !audience.includes('assistant')
}

function timeOf({ annotations }: RankedResource): number {
  const time = Date.parse(annotations?.lastModified ?? '')
  return Number.isNaN(time) ? 0 : time
}
