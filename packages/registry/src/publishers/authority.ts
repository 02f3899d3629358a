import { randomBytes } from 'node:crypto'

import type { AuthInfo } from '@parley/mcp'

import { Problem } from '../api/problem.ts'
import { OutgoingError, type Outgoing } from '../network/outgoing.ts'
import type { RegistryDatabase } from '../storage/tables.ts'
import { createExchanges, type Proof } from './exchanges.ts'
import type { RegistryAuth } from './options.ts'
import { covers, isPermitted, type Permission } from './permissions.ts'
import { createTokens, type Grant, type IssuedToken } from './tokens.ts'

/** Lets publishers in. */
export interface Authority {
  /** What the token of a request, or whoever vouches for its sender, allows; undefined for neither. */
  readonly grantOf: (request: Request, auth: AuthInfo | undefined) => Promise<Grant | undefined>
  /** Throws a 401 unless the request has a token of ours. */
  readonly authenticate: (request: Request, auth: AuthInfo | undefined) => Promise<Grant>
  /** Whom `authenticate` let in with this request, as `method:subject`. */
  readonly callerOf: (request: Request) => string | undefined
  /** What the token of a request allows; undefined without one of ours. */
  readonly recognize: (request: Request) => Promise<Grant | undefined>
  /** Throws a 403 unless one of the actions on the name is allowed. */
  readonly require: (grant: Grant, actions: readonly Permission['action'][], name: string) => void
  /** The ways to prove who one is. */
  readonly methods: readonly string[]
  /** Fields of a proof; undefined for a way that is switched off. */
  readonly fieldsOf: (method: string) => readonly string[] | undefined
  readonly exchange: (method: string, proof: Proof) => Promise<IssuedToken>
}

const writeScope = 'mcp-registry:write'
const moderateScope = 'mcp-registry:moderate'

export async function createAuthority(
  auth: RegistryAuth,
  parts: {
    readonly database: RegistryDatabase
    readonly outgoing: Outgoing
    readonly now: () => number
  },
): Promise<Authority> {
  const { database, outgoing, now } = parts
  const tokens = createTokens(auth.seed ?? (await readSeed(database)), now)
  const exchanges = createExchanges(auth, { outgoing, now })
  const blocked = auth.blockedNamespaces ?? []
  const callers = new WeakMap<Request, string>()

  async function grantOf(request: Request, info: AuthInfo | undefined): Promise<Grant | undefined> {
    const token = tokenOf(request)
    const grant = token === undefined ? undefined : await tokens.verify(token)
    const mayWrite = info?.scopes.has(writeScope) || info?.scopes.has(moderateScope)
    return grant ?? (info && mayWrite ? vouchedGrant(info) : undefined)
  }

  return {
    grantOf,
    async recognize(request) {
      const token = tokenOf(request)
      return token === undefined ? undefined : tokens.verify(token)
    },
    callerOf: (request) => callers.get(request),
    async authenticate(request, info) {
      const grant = await grantOf(request, info)
      if (grant !== undefined) {
        callers.set(request, `${grant.method}:${grant.subject}`)
        return grant
      }
      throw new Problem(
        401,
        tokenOf(request) === undefined
          ? 'Missing token: send Authorization: Bearer with a token of /auth.'
          : 'Invalid or expired Registry JWT token',
        { headers: { 'www-authenticate': 'Bearer realm="mcp-registry"' } },
      )
    },
    require({ permissions }, actions, name) {
      if (isPermitted(permissions, actions, name)) return
      const own = permissions
        .filter(({ action }) => actions.includes(action))
        .map(({ resource }) => resource)
      const has = own.length === 0 ? 'nothing' : own.join(', ')
      const hint = name.startsWith('io.github.')
        ? ' Membership of a GitHub organisation must be public to count.'
        : ''
      throw new Problem(
        403,
        `You do not have permission to ${actions.join(' or ')} ${name}. Your token allows ${has}.${hint}`,
      )
    },
    methods: [...exchanges.keys()],
    fieldsOf: (method) => exchanges.get(method)?.fields,
    async exchange(method, proof) {
      const outcome = await classify(method, proof)
      if (outcome.kind === 'refused') throw new Problem(401, `No token: ${outcome.why}.`)
      const { grant } = outcome
      const isAll = grant.permissions.some(({ resource }) => resource === '*')
      const namespace = blocked.find((candidate) =>
        grant.permissions.some((each) => covers(each, candidate)),
      )
      if (namespace !== undefined && !isAll) {
        throw new Problem(403, `No token: the namespace ${namespace} is blocked.`)
      }
      return tokens.issue(grant)
    },
  }

  async function classify(method: string, proof: Proof) {
    const exchange = exchanges.get(method)
    if (exchange === undefined) {
      throw new Problem(501, `Signing in by ${method} is not supported by this registry.`)
    }
    try {
      return await exchange.classify(proof)
    } catch (error) {
      if (error instanceof OutgoingError && error.reason === 'refused') {
        return { kind: 'refused', why: error.message } as const
      }
      const why = error instanceof OutgoingError ? `: ${error.message}` : ''
      throw new Problem(503, `The proof cannot be checked now, try again later${why}`)
    }
  }
}

function tokenOf(request: Request): string | undefined {
  const header = request.headers.get('authorization') ?? ''
  return /^bearer +([\w.~+/=-]+)$/i.exec(header.trim())?.[1]
}

/** A caller that somebody else let in. */
function vouchedGrant({ issuer, subject, claims, scopes }: AuthInfo): Grant {
  const { permissions: patterns } = claims
  const names = Array.isArray(patterns)
    ? patterns.filter((pattern) => typeof pattern === 'string')
    : []
  const actions = [
    ...(scopes.has(writeScope) ? (['publish', 'edit'] as const) : []),
    ...(scopes.has(moderateScope) ? (['moderate'] as const) : []),
  ]
  const permissions = names.flatMap((resource) => actions.map((action) => ({ action, resource })))
  return { method: issuer, subject: subject ?? '', permissions }
}

/** Made by the first process that needs it; all processes of one database share it. */
async function readSeed({ queries }: RegistryDatabase): Promise<string> {
  const value = randomBytes(32).toString('hex')
  await queries
    .insertInto('registry_settings')
    .values({ key: 'token-seed', value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const row = await queries
    .selectFrom('registry_settings')
    .select('value')
    .where('key', '=', 'token-seed')
    .executeTakeFirstOrThrow()
  return row.value
}
