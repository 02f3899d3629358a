import { isJsonObject } from '@parley/mcp/json'

import { isLiteralSecret, mapSecretArguments } from '../../secrets/secret-arguments.ts'
import type { Note } from '../variables/export-variables.ts'

/** Puts a variable in the place of each secret that stands in an entry. */
export interface SecretHider {
  /** A value under its name. */
  value(key: string, value: string, variable?: string): string
  /** Arguments: what follows `--token`, or stands in `--token=…`. */
  args(values: readonly string[]): readonly string[]
  /** Anything else, members and all. */
  deep(value: unknown, key: string): unknown
}

/** Creates a hider for the entry of that name; each variable is reported once. */
export function createSecretHider(server: string, note: Note): SecretHider {
  function hide(key: string, value: string, variable: string): string {
    const name = variable
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, '_')
      .replace(/^_/, '')
    const [scheme = ''] = /^(?:Bearer|Basic) /i.exec(value) ?? []
    note(`the value of ${key} is not copied; set ${name} in the environment`)
    return `${scheme}\${${name}}`
  }

  const hider: SecretHider = {
    value: (key, value, variable = key) =>
      isLiteralSecret(key, value) ? hide(key, value, variable) : value,
    args: (values) =>
      mapSecretArguments(values, (flag, value) => hide(flag, value, `${server}_${flag}`)),
    deep(value, key) {
      if (typeof value === 'string') return hider.value(key, value, `${server}_${key}`)
      if (Array.isArray(value)) return value.map((each) => hider.deep(each, key))
      if (!isJsonObject(value)) return value
      const pairs = Object.entries(value).map(([name, each]) => [name, hider.deep(each, name)])
      return Object.fromEntries(pairs) as unknown
    },
  }
  return hider
}
