/**
 * The addresses of an entry: where a remote is, and where a package that serves HTTP can be reached once it runs. Both are templates; an
 * answer fills its place and no more, so what was answered for a tenant or a path can never lead to another host.
 */

import { classifyAddress, isLoopbackHost, parseUrl } from '@parley/mcp/address'

const name = /\{([a-zA-Z_][\w-]*)\}/g

/** A filled address, or why it is none to connect to. */
export type FilledUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: string }

const rejected = (reason: string): FilledUrl => ({ ok: false, reason })

/** Puts answers into the template of an address. `value` gives the answer, or undefined where nothing was defined. */
export function fillUrl(
  template: string,
  value: (name: string) => string | undefined,
  where: 'remote' | 'package',
): FilledUrl {
  const problem = findTemplateProblem(template, value)
  if (problem !== undefined) return rejected(problem)
  // Judged with something harmless in place of what the user is asked when the server is started.
  const built = build(template, (variable) => value(variable) ?? '')
  if (!built.ok) return built
  const plain = built.url
    .replace(/^\$\{input:[\w-]+\}/, 'https://server.example')
    .replaceAll(/(?<=:)\$\{input:[\w-]+\}/g, '1')
    .replaceAll(/\$\{input:[\w-]+\}/g, 'x')
  const [, origin = '', tail = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(plain) ?? []
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(tail.replace(/[?#].*$/s, ''))) {
    return rejected('has . or .. in its path')
  }
  const [url, expected] = [parseUrl(plain), parseUrl(origin)]
  if (url === undefined || expected === undefined) return rejected('is not a URL')
  if (url.host !== expected.host || url.username !== '' || url.password !== '') {
    return rejected(`leads to ${url.host} instead of ${expected.host}`)
  }
  const locationProblem = findLocationProblem(url, where)
  if (locationProblem !== undefined) return rejected(locationProblem)
  return built
}

function findTemplateProblem(
  template: string,
  value: (name: string) => string | undefined,
): string | undefined {
  if (template.length > 2_048) return 'is longer than 2,048 characters'
  if (/[^\x21-\x7e]/.test(template)) {
    return 'has spaces, invisible characters or letters beyond ASCII: write them in percent encoding, a host in Punycode'
  }
  if (/[{}]/.test(template.replaceAll(name, '')) || template.includes('${')) {
    return 'has braces around something other than a {variable}: leave them out'
  }
  const missing = [...template.matchAll(name)].find(([, item = '']) => value(item) === undefined)
  return missing && `has ${missing[0]}, which is not defined or has no answer`
}

/** `${input:id}` stands for an answer that the user gives when the server is started. */
function isReference(answer: string): boolean {
  return /^\$\{input:[\w-]+\}$/.test(answer)
}

function build(template: string, value: (name: string) => string): FilledUrl {
  const fill = (text: string) =>
    text.replaceAll(name, (_, variable: string) => {
      const answer = value(variable)
      return isReference(answer) ? answer : encodeURIComponent(answer)
    })
  // At the very beginning a variable stands for scheme and host: a server that its users run themselves.
  const [base] = /^\{[a-zA-Z_][\w-]*\}/.exec(template) ?? []
  if (base !== undefined) {
    const filled = value(base.slice(1, -1))
    if (!isReference(filled) && !/^https?:\/\/[^\s?#\\@{}]+$/i.test(filled)) {
      return rejected(
        `has ${base}, which must be an address such as https://server.example, without ? and #`,
      )
    }
    return { ok: true, url: filled.replace(/\/+$/, '') + fill(template.slice(base.length)) }
  }
  const [, scheme = '', authority = '', rest = ''] =
    /^(https?:\/\/)([^/?#\\]*)([^\\]*)$/i.exec(template) ?? []
  if (scheme === '') return rejected('is not the address of a server: it must begin with https://')
  if (authority.includes('@')) return rejected('has a user name or password in it: leave it out')
  const host = fillAuthority(authority, value)
  if (host === undefined) {
    return rejected(
      'has an answer in its host that is not a name: letters, digits and - only, and digits for a port',
    )
  }
  return { ok: true, url: scheme + host + fill(rest) }
}

/** A host and a port; an answer is a part of a name, all of it, or digits behind the colon. */
function fillAuthority(authority: string, value: (name: string) => string): string | undefined {
  const isWhole = /^\{[^{}]*\}(?::\d+)?$/.test(authority)
  let isFine = true
  const filled = authority.replaceAll(name, (found, variable: string, at: number) => {
    const answer = value(variable)
    if (isReference(answer)) return answer
    const isPort = authority[at - 1] === ':' && at + found.length === authority.length
    const fits = isPort
      ? /^\d{1,5}$/
      : isWhole
        ? /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i
        : /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
    isFine &&= fits.test(answer) && answer.length <= (isWhole ? 253 : 63)
    return answer
  })
  const fixed = filled.replaceAll(/\$\{input:[\w-]+\}/g, '1')
  return isFine && /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.test(fixed)
    ? filled
    : undefined
}

function findLocationProblem(
  { protocol, hostname }: URL,
  where: 'remote' | 'package',
): string | undefined {
  const isHere = isLoopbackHost(hostname.replace(/^\[(.*)\]$/, '$1')) || isLoopbackHost(hostname)
  if (where === 'package') {
    return isHere
      ? undefined
      : `is at ${hostname}: a package is started on this machine, so its address must be there, such as http://127.0.0.1:8080`
  }
  if (isHere) return undefined
  if (protocol !== 'https:') return 'is not encrypted: it must begin with https://'
  const kind = classifyAddress(hostname)
  return kind === undefined || kind === 'public'
    ? undefined
    : `leads to ${hostname}, an address of a private network: add such a server by its address`
}

/** Why a header may not be sent; undefined if it may. */
export function findHeaderProblem(header: string): string | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(header)) return 'is not the name of a header'
  return /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|proxy-.*|sec-.*|mcp-.*)$/i.test(
    header,
  )
    ? 'belongs to the connection: an entry may not set it'
    : undefined
}
