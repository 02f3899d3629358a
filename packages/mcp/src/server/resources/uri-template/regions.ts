import type { QueryRule } from './query.ts'
import { refuseTemplate } from './syntax.ts'
import type { TemplateExpression, TemplatePart, TemplateVariable } from './syntax.ts'

/** A template split the way a URI is. Without `{?…}` or `{&…}` there is no query region: `?` is ordinary text. */
export interface TemplateRegions {
  readonly path: readonly TemplatePart[]
  readonly query: QueryRule | undefined
  readonly fragment: readonly TemplatePart[] | undefined
}

/** Throws `invalid_definition` when the parts stand in an order in which no URI could be read back. */
export function splitRegions(template: string, parts: readonly TemplatePart[]): TemplateRegions {
  const path: TemplatePart[] = []
  let query: { fixed: readonly string[]; variables: Map<string, TemplateVariable> } | undefined
  let fragment: TemplatePart[] | undefined

  for (const part of parts) {
    if (part.kind === 'expression' && (part.operator === '?' || part.operator === '&')) {
      if (fragment) throw refuse(template, part, 'comes after a fragment', 'move it before the "#"')
      query = openQuery(template, part, path, query)
      for (const variable of part.variables) query.variables.set(variable.name, variable)
      continue
    }
    const hash = part.kind === 'literal' ? part.text.indexOf('#') : part.operator === '#' ? 0 : -1
    if (fragment || hash === 0) {
      fragment ??= []
      fragment.push(part)
    } else if (query) {
      const cure =
        'only {&…} or a fragment may follow; put fixed parameters before, as in ?kind=note{&page}'
      throw refuse(template, part, 'comes after the query', cure)
    } else if (hash > 0 && part.kind === 'literal') {
      path.push({ ...part, text: part.text.slice(0, hash) })
      fragment = [{ ...part, text: part.text.slice(hash), position: part.position + hash }]
    } else {
      path.push(part)
    }
  }
  return { path, query, fragment }
}

function openQuery(
  template: string,
  part: TemplateExpression,
  path: TemplatePart[],
  query: { fixed: readonly string[]; variables: Map<string, TemplateVariable> } | undefined,
) {
  const names = part.variables.map(({ name }) => name).join(',')
  const hasMark = path.some((before) => before.kind === 'literal' && before.text.includes('?'))
  if (part.operator === '?') {
    if (query || hasMark) throw refuse(template, part, 'is a second query', `write {&${names}}`)
    return { fixed: [], variables: new Map<string, TemplateVariable>() }
  }
  if (query) return query
  const last = path.at(-1)
  const mark = last?.kind === 'literal' ? last.text.indexOf('?') : -1
  if (last?.kind !== 'literal' || mark === -1) {
    const cure = hasMark ? 'name every parameter in one {?…}' : `write {?${names}}`
    throw refuse(template, part, 'does not follow a "?" with fixed parameters', cure)
  }
  path[path.length - 1] = { ...last, text: last.text.slice(0, mark) }
  const fixed = last.text.slice(mark + 1).split('&')
  return {
    fixed: fixed.filter((parameter) => parameter !== ''),
    variables: new Map<string, TemplateVariable>(),
  }
}

function refuse(template: string, { position }: TemplatePart, problem: string, cure: string) {
  return refuseTemplate(template, position, `this part ${problem}`, cure)
}
