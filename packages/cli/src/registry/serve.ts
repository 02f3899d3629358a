import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { openAuditLog } from '@parley/foundation/audit'
import { isLoopbackAddress } from '@parley/mcp/address'
import { errorMessage } from '@parley/mcp/json'
import type { LocalKey, RegistryAuth, RegistryOptions } from '@parley/registry'
import * as v from 'valibot'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { ensureSqlite } from '../native.ts'
import { createPrinter } from '../output/printer.ts'
import { createServiceLog } from '../output/service-log.ts'
import { keepMirrored, mirrorPlan } from './keep-mirrored.ts'
import { databaseAddress, readIndexKey } from './mirror.ts'

/** Flags of `parley registry serve`. */
export interface ServeFlags {
  readonly port?: number
  readonly host?: string
  readonly public?: boolean
  readonly trustedProxy?: readonly string[]
  readonly database?: string
  readonly readOnly?: boolean
  readonly signIn?: readonly string[]
  readonly keys?: string
  readonly ownership?: boolean
  readonly npm?: string
  readonly pypi?: string
  readonly nuget?: string
  readonly cargo?: string
  readonly remoteCards?: string
  readonly lookAlikes?: string
  readonly githubClientId?: string
  readonly readKeys?: string
  readonly readIssuer?: string
  readonly url?: string
  readonly mirror?: readonly string[]
  readonly mirrorEvery?: string
  readonly mirrorKey?: string
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly icons?: boolean
  readonly indexKey?: string
  readonly audit?: string
  readonly metrics?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly color?: boolean
}

/** Serves until the user has had enough. */
export async function serve(flags: ServeFlags, { io }: CommandContext): Promise<void> {
  const { host = '127.0.0.1', port = 8080 } = flags
  const printer = createPrinter(io, flags)
  const log = createServiceLog(io, flags, { to: 'http' })
  const read = await readerGuard(flags, io.cwd)
  const auth = { ...authOf(flags, io.cwd), ...(read && { read }) }
  requireSafety(flags, auth)
  const mirrors = mirrorPlan(flags, io)
  const database = databaseAddress(flags.database, io)
  await using audit =
    flags.audit === undefined ? undefined : openAuditLog({ path: resolve(io.cwd, flags.audit) })
  const options: RegistryOptions = {
    database,
    auth,
    readOnly: flags.readOnly,
    ...(flags.ownership && {
      ownership: { npm: flags.npm, pypi: flags.pypi, nuget: flags.nuget, cargo: flags.cargo },
    }),
    url: flags.url,
    remoteCards: cardsOf(flags.remoteCards),
    lookAlikes: lookAlikesOf(flags.lookAlikes),
    indexKey: flags.indexKey && (await readIndexKey(flags.indexKey, io.cwd)),
    audit,
    metrics: flags.metrics,
    onError: (error) => log.write('error', 'error', errorMessage(error)),
  }
  if (!database.startsWith('postgres')) await ensureSqlite(io)
  const { createRegistry, serveRegistry } = await import('@parley/registry')
  await using registry = await createRegistry(options)
  await using served = await serveRegistry(registry, {
    port,
    host,
    icons: flags.icons,
    trustedProxies: flags.trustedProxy,
  })
  if (printer.isJson) printer.jsonLine({ event: 'ready', url: served.url.href })
  else printer.note(`listens on ${served.url.href}, with ${database.replace(/:[^:@/]*@/, ':…@')}`)
  const mirroring = mirrors && keepMirrored(registry, mirrors, { log, signal: io.signal })
  await new Promise<void>((stop) => {
    if (io.signal.aborted) stop()
    io.signal.addEventListener('abort', () => stop(), { once: true })
  })
  await mirroring // before its database is closed
}

/** Who may read; undefined for everybody. */
async function readerGuard(
  { readKeys: file, readIssuer: issuer, url }: ServeFlags,
  cwd: string,
): Promise<RegistryAuth['read']> {
  if (file !== undefined && issuer !== undefined) {
    throw new CliError('error', 'use --read-keys or --read-issuer, not both')
  }
  if (file !== undefined) {
    const path = resolve(cwd, file)
    if (!existsSync(path)) {
      throw new CliError('error', `--read-keys ${path} is not there`, {
        hint: `Make a first key: parley registry keys create --name ada --file ${file}`,
      })
    }
    const { openApiKeyFile } = await import('@parley/gateway')
    try {
      return openApiKeyFile({ path }).guard()
    } catch (error) {
      const why = errorMessage(error)
      throw new CliError('error', `--read-keys cannot be used: ${why}`, { cause: error })
    }
  }
  if (issuer === undefined) return undefined
  if (url === undefined) {
    throw new CliError(
      'error',
      '--read-issuer needs --url: tokens are issued for the public address',
    )
  }
  const { oauthGuard } = await import('@parley/auth/resource')
  try {
    return oauthGuard({ issuer })
  } catch (error) {
    const why = errorMessage(error)
    throw new CliError('error', `--read-issuer cannot be used: ${why}`, { cause: error })
  }
}

function cardsOf(how: string | undefined): RegistryOptions['remoteCards'] {
  if (how === undefined || how === 'note' || how === 'require') return how
  throw new CliError('error', `--remote-cards ${how} is unknown: use note or require`)
}

function lookAlikesOf(how: string | undefined): RegistryOptions['lookAlikes'] {
  if (how === undefined || how === 'flag' || how === 'refuse') return how
  throw new CliError('error', `--look-alikes ${how} is unknown: use flag or refuse`)
}

const ways = ['dns', 'http', 'github', 'anonymous'] as const

function authOf({ signIn = [], keys, githubClientId }: ServeFlags, cwd: string): RegistryAuth {
  for (const way of signIn) {
    if (ways.some((candidate) => candidate === way)) continue
    throw new CliError('error', `--sign-in ${way} is unknown: use ${ways.join(', ')}`)
  }
  return {
    ...Object.fromEntries(signIn.map((way) => [way, true])),
    ...(signIn.includes('github') &&
      githubClientId !== undefined && { github: { clientId: githubClientId } }),
    ...(keys !== undefined && { keys: readKeys(resolve(cwd, keys)) }),
  }
}

function readKeys(path: string): { readonly [id: string]: LocalKey } {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const why = errorMessage(cause)
    throw new CliError('error', `--keys ${path} cannot be read: ${why}`, { cause })
  }
  const read = v.safeParse(keysFile, value)
  if (read.success) return read.output
  throw new CliError('error', `--keys ${path} is not a list of keys`, {
    hint: 'Write {"NAME": {"algorithm": "ed25519", "publicKey": "BASE64", "publish": ["com.example/*"]}}.',
  })
}

const keysFile = v.record(
  v.string(),
  v.looseObject({
    algorithm: v.picklist(['ed25519', 'ecdsap384']),
    publicKey: v.string(),
    publish: v.array(v.string()),
  }),
)

/** Nothing is public by accident. */
function requireSafety(
  { host = '127.0.0.1', public: isPublic }: ServeFlags,
  auth: RegistryAuth,
): void {
  if (isLoopbackAddress(host)) return
  if (!isPublic) {
    throw new CliError('error', `listening on ${host} needs --public`, {
      hint: 'Everybody who reaches it can read it. Put TLS in front.',
    })
  }
  if (auth.anonymous) {
    throw new CliError('error', '--sign-in anonymous is only for a registry on this machine', {
      hint: 'Use --sign-in dns, http or github, or --keys FILE.',
    })
  }
}
