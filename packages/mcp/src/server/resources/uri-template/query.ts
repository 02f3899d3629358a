import { decodeValue } from './percent-encoding.ts'
import type { TemplateVariable } from './syntax.ts'

/** What a template says about the query of a URI. */
export interface QueryRule {
  /** Fixed parameters, such as the one in `?kind=note{&page}`; each must be there as written. */
  readonly fixed: readonly string[]
  /** By name, each optional. */
  readonly variables: ReadonlyMap<string, TemplateVariable>
}

/**
 * Reads parameters in any order into `match`; false when the query does not fit. Parameters the template does not name
 * are ignored. One that is there twice fits only a list (`{?tag*}`). A plus is a plus: this is RFC 3986, not a form.
 */
export function readQuery(
  { fixed, variables }: QueryRule,
  query: string,
  match: Record<string, string | readonly string[] | undefined>,
): boolean {
  const missing = new Set(fixed)
  const lists = new Map<string, string[]>()
  for (const parameter of query.split('&')) {
    if (parameter === '' || missing.delete(parameter)) continue
    const equals = parameter.indexOf('=')
    const name = equals === -1 ? parameter : parameter.slice(0, equals)
    const variable = variables.get(name)
    const value = decodeValue(equals === -1 ? '' : parameter.slice(equals + 1), variable?.maxLength)
    if (value === undefined) return false
    if (!variable) continue
    if (!variable.explode) {
      if (name in match) return false
      match[name] = value
      continue
    }
    const list = lists.get(name) ?? []
    list.push(value)
    lists.set(name, list)
  }
  for (const [name, list] of lists) match[name] = list
  return missing.size === 0
}
