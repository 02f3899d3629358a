import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, posix, sep } from 'node:path'

import { canonicalUri } from '@parley/mcp/address'

/** The other ways in which a server may take a path: a rule that allows has to hold for all of them, one that forbids for any. */
export function pathReadings(value: string): readonly string[] {
  const decoded = [value, value.normalize('NFKC')].flatMap((each) => [each, ...decodings(each)])
  const spelled = decoded.flatMap((each) => [each, each.normalize('NFKC')])
  return unique(spelled.flatMap((each) => [each, normalizePath(each)]))
}

/** Further ones that only forbid: as a `file:` URL, below the folder of the project, below the home folder. */
export function farPathReadings(value: string, folder: string | undefined): readonly string[] {
  const plain = normalizePath(value.replace(/^file:(?:\/\/[^/]*)?(?=\/)/i, ''))
  const near = pathReadings(plain)
  const home = near.filter((each) => each.startsWith('~/')).map((each) => homedir() + each.slice(1))
  const below =
    folder === undefined || isAbsolute(plain)
      ? []
      : near.map((each) => normalizePath(`${folder}/${each}`))
  return unique([...near, ...home, ...below])
}

/** The ways to take an address: as written, as browsers read it, in its canonical form, without the name before `@`, and decoded. None if it is no address. */
export function urlReadings(value: string): readonly string[] | undefined {
  try {
    const url = new URL(value)
    const decoded = decodings(value).flatMap((each) => hrefOf(each))
    const { href } = url
    url.username = ''
    url.password = ''
    const plain = [url.href, ...decoded].map((each) => canonicalUri(each) ?? each)
    return unique([value, href, url.href, ...decoded, ...plain])
  } catch {
    return undefined
  }
}

/** Where a path leads once links are followed; what does not exist yet is taken below the folder that does. */
export function realPathOf(path: string): string | undefined {
  if (!isAbsolute(path) || path.includes('\0')) return undefined
  let [folder, rest] = [path, '']
  for (let level = 0; level < 128; level += 1) {
    try {
      const real = realpathSync.native(folder)
      return rest === '' ? real : join(real, rest)
    } catch {
      const parent = dirname(folder)
      if (parent === folder) return undefined
      rest = join(folder.slice(parent.length), rest)
      folder = parent
    }
  }
  return undefined
}

/** A path with `/` between its parts, on every system. */
export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** Backslashes count as slashes, and `.. ` or `...` as `..`, as they do on Windows. */
function normalizePath(path: string): string {
  const segments = path.replaceAll('\\', '/').split('/')
  const plain = segments.map((segment) => {
    if (/^\.\.[. ]*$/.test(segment)) return '..'
    return /^\. *$/.test(segment) ? '.' : segment
  })
  return posix.normalize(plain.join('/'))
}

/** Percent signs taken as codes, once and as often as it changes something. */
function decodings(value: string): readonly string[] {
  const found: string[] = []
  let last = value
  for (let round = 0; round < 4 && last.includes('%'); round += 1) {
    const next = last.replaceAll(/(?:%[0-9a-f]{2})+/gi, (codes) => {
      try {
        return decodeURIComponent(codes)
      } catch {
        return codes
      }
    })
    if (next === last) break
    found.push(next)
    last = next
  }
  return found
}

function hrefOf(value: string): readonly string[] {
  try {
    return [new URL(value).href]
  } catch {
    return [value]
  }
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}
