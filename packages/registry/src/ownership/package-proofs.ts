import type { ServerPackage } from '../document/server-document.ts'
import type { Outgoing } from '../network/outgoing.ts'

/** What the check of one package found. */
export type PackageProof =
  | { readonly kind: 'owned' }
  | { readonly kind: 'refused'; readonly why: string }
  /** Whoever must be asked does not answer now. */
  | { readonly kind: 'later'; readonly why: string }

/** Asks the home of a package whether it belongs to a server. */
export type ProvePackage = (
  serverPackage: ServerPackage,
  serverName: string,
  outgoing: Outgoing,
) => Promise<PackageProof>

const maxReadmeBytes = 5 * 1024 * 1024

/** `mcpName` of the package's own description. */
export function proveNpm(base: string): ProvePackage {
  return async ({ identifier, version = '' }, serverName, outgoing) => {
    const url = `${base}/${segment(identifier)}/${segment(version)}`
    const { status, text } = await outgoing(url, { maxBytes: maxReadmeBytes, maxRedirects: 2 })
    if (status !== 200) return notFound(status, `${identifier}@${version}`)
    const found = readMember(text, 'mcpName')
    if (found === serverName) return { kind: 'owned' }
    const seen = found === undefined ? 'has no mcpName' : `has the mcpName ${show(found)}`
    const why = `the npm package ${identifier} ${seen}: add "mcpName": "${serverName}" to its package.json`
    return { kind: 'refused', why }
  }
}

/** A line of the description. */
export function provePypi(base: string): ProvePackage {
  return async ({ identifier, version = '' }, serverName, outgoing) => {
    const url = `${base}/pypi/${segment(identifier)}/${segment(version)}/json`
    const { status, text } = await outgoing(url, { maxBytes: maxReadmeBytes, maxRedirects: 2 })
    if (status !== 200) return notFound(status, `${identifier} ${version}`)
    const info = readMember(text, 'info')
    const description = isRecord(info) ? info['description'] : undefined
    return classifyReadme(
      typeof description === 'string' ? description : '',
      serverName,
      identifier,
    )
  }
}

/** A line of the README of that version. */
export function proveNuget(base: string): ProvePackage {
  return async ({ identifier, version = '' }, serverName, outgoing) => {
    const id = segment(identifier.toLowerCase())
    const url = `${base}/v3-flatcontainer/${id}/${segment(version.toLowerCase())}/readme`
    const { status, text } = await outgoing(url, { maxBytes: maxReadmeBytes, maxRedirects: 2 })
    if (status !== 200) return notFound(status, `${identifier} ${version}`)
    return classifyReadme(text, serverName, identifier)
  }
}

/** The same; the registry says where the README is, and that must be its own static host. */
export function proveCargo(base: string): ProvePackage {
  const { host } = new URL(base)
  return async ({ identifier, version = '' }, serverName, outgoing) => {
    const url = `${base}/api/v1/crates/${segment(identifier)}/${segment(version)}/readme`
    const headers = { accept: 'application/json' }
    const pointer = await outgoing(url, { headers, maxRedirects: 0 })
    const archiveUrl = readMember(pointer.text, 'url')
    if (pointer.status !== 200 || typeof archiveUrl !== 'string') {
      return notFound(pointer.status, `${identifier} ${version}`)
    }
    const { status, text } = await outgoing(archiveUrl, {
      maxBytes: maxReadmeBytes,
      maxRedirects: 2,
      mayAsk: (to) => to.host === `static.${host}`,
    })
    if (status !== 200) return notFound(status, `the README of ${identifier} ${version}`)
    return classifyReadme(text, serverName, identifier)
  }
}

/** That there is a file; what is in it clients check by its hash. */
export const proveMcpb: ProvePackage = async ({ identifier }, _serverName, outgoing) => {
  const { status } = await outgoing(identifier, { method: 'HEAD', maxRedirects: 3 })
  return status === 200 ? { kind: 'owned' } : notFound(status, identifier)
}

/** Busy and broken hosts are asked again later; everything else is final. */
export function notFound(status: number, what: string): PackageProof {
  if (status === 429 || status >= 500) {
    return { kind: 'later', why: `its registry answers with status ${status} for ${what}` }
  }
  return {
    kind: 'refused',
    why: `${what} was not found: its registry answers with status ${status}`,
  }
}

function classifyReadme(readme: string, serverName: string, identifier: string): PackageProof {
  if (hasToken(readme, serverName)) return { kind: 'owned' }
  const why = `the README of ${identifier} has no line "mcp-name: ${serverName}"`
  return { kind: 'refused', why }
}

/** The name must end there: `io.github.a/b` is not proven by `io.github.a/b-evil`. */
export function hasToken(readme: string, serverName: string): boolean {
  const token = `mcp-name: ${serverName}`
  for (let at = readme.indexOf(token); at !== -1; at = readme.indexOf(token, at + 1)) {
    const next = readme[at + token.length]
    if (next === undefined || /[\s<]/.test(next) || readme.startsWith('-->', at + token.length)) {
      return true
    }
  }
  return false
}

/** A name as one segment of a path; `..` and slashes cannot leave it. */
function segment(text: string): string {
  return encodeURIComponent(text).replaceAll('%40', '@').replace(/^\.+$/, '')
}

function readMember(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value[name] : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}

function show(value: unknown): string {
  return JSON.stringify(value).slice(0, 200)
}
