import { parseArgs } from 'node:util'

import { UsageError } from '../usage-error.ts'
import type { CompatLine, CompatSignIn } from './compat.ts'
import { headerOf, readFlags } from './words.ts'

type Environment = { readonly [name: string]: string | undefined }

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const yes = { type: 'boolean' } as const

/** Reads a command line of mcp-remote: an address, then flags. It signs in where the server asks for it. */
export function readMcpRemote(args: readonly string[], env: Environment): CompatLine {
  const { values, positionals } = readFlags('mcp-remote', () =>
    parseArgs({
      args: [...args],
      options: {
        header: texts,
        transport: text,
        'allow-http': yes,
        host: text,
        debug: yes,
        silent: yes,
        'enable-proxy': yes,
        'ignore-tool': texts,
        resource: text,
        'auth-timeout': text,
        'static-oauth-client-metadata': text,
        'static-oauth-client-info': text,
      },
      allowPositionals: true,
      strict: true,
    } as const),
  )
  const [url] = positionals
  if (url === undefined) throw new UsageError('--compat mcp-remote needs the address of a server')
  requireHttps(url, values['allow-http'] === true)
  if (values['ignore-tool']) {
    throw new UsageError('--ignore-tool is not supported: a bridge passes all tools on')
  }
  const headers = (values.header ?? []).map((line) => headerOf(expand(line, env)))
  return {
    options: {
      from: {
        url,
        type: transportOf(values.transport),
        headers: Object.fromEntries(headers),
      },
      to: 'stdio',
    },
    signIn: signInOf(values['static-oauth-client-info']),
    isQuiet: values.silent === true,
    notes: [],
  }
}

/** A token that is sent in the clear is anybody's. */
function requireHttps(address: string, isAllowed: boolean): void {
  const url = parse(address)
  if (url === undefined) throw new UsageError(`${address} is not an address: use https:`)
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'https:' || isLocal || isAllowed) return
  throw new UsageError(`${address} is not encrypted: use https:, or --allow-http`)
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}

function transportOf(transport = 'http-first'): 'http' | 'sse' | undefined {
  switch (transport) {
    case 'http-first':
      return undefined // what it is is found out
    case 'http-only':
      return 'http'
    case 'sse-first':
    case 'sse-only':
      return 'sse'
  }
  throw new UsageError(
    `--transport ${transport} is unknown: use http-first, sse-first, http-only or sse-only`,
  )
}

/** `${NAME}` stands for a variable, because configuration files of some programs cannot hold blanks in arguments. */
function expand(line: string, env: Environment): string {
  return line.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) => {
    const value = env[name]
    if (value === undefined) throw new UsageError(`the variable ${name} in --header is not set`)
    return value
  })
}

function signInOf(info: string | undefined): CompatSignIn {
  if (info === undefined) return {}
  try {
    const { client_id, client_secret } = JSON.parse(info) as {
      readonly client_id?: string
      readonly client_secret?: string
    } // read below as text only
    return { clientId: client_id, clientSecret: client_secret }
  } catch {
    throw new UsageError(
      '--static-oauth-client-info is not JSON: write {"client_id":"…","client_secret":"…"}',
    )
  }
}
