import { decodeJwt } from 'jose'

import { warnOnce } from '../shared/warn.ts'
import { verifyAccessToken, findAudienceProblem, resourceId } from './access-token.ts'
import { bindVerifier, createIssuerAccess } from './issuer-access.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import {
  listOf,
  type IssuerRules,
  type OAuthGuardOptions,
  type TokenVerifier,
  type VerifierRequest,
} from './options.ts'
import { invalid, type Verification } from './token-check.ts'

/** Finds out whose token it is. Rejects only if that cannot be found out. */
export type VerifyToken = (token: string, request: VerifierRequest) => Promise<Verification>

/** One verifier for the tokens of all issuers; each issuer's own rules hold for its tokens alone. */
export function createVerifier(
  issuers: readonly IssuerRules[],
  options: OAuthGuardOptions,
  onKeysChanged: () => void,
): VerifyToken {
  const verifiers = issuers.map((rules) => createIssuerVerifier(rules, options, onKeysChanged))
  const opaque = verifiers.filter(({ readsAny }) => readsAny)

  return async (token, request) => {
    const issuer = issuerOf(token)
    const named = verifiers.find(({ names }) => issuer !== undefined && names.includes(issuer))
    if (named) return named.verify(token, request)
    if (opaque.length === 0) {
      return invalid(issuer === undefined ? 'it is malformed' : 'its issuer is not accepted here')
    }
    let last = invalid('it is unknown')
    for (const { verify } of opaque) {
      last = await verify(token, request)
      if (last.kind === 'valid') break
    }
    return last
  }
}

interface IssuerVerifier {
  readonly names: readonly string[]
  /** Not only tokens that say whose they are. */
  readonly readsAny: boolean
  readonly verify: VerifyToken
}

function createIssuerVerifier(
  rules: IssuerRules,
  options: OAuthGuardOptions,
  onKeysChanged: () => void,
): IssuerVerifier {
  const access = createIssuerAccess(rules, options.fetch)
  const verify = rules.verify ?? options.verify
  const verifyCustom = verify && byFunction(bindVerifier(verify, access))
  const keys = createIssuerKeys(access, rules.jwksUri, onKeysChanged)
  const others = [...(rules.extraAudiences ?? []), ...(options.extraAudiences ?? [])]
  const audience = rules.audience ?? options.audience
  warnIfWeak(rules, verifyCustom !== undefined)

  return {
    names: listOf(rules.issuer),
    readsAny: verifyCustom !== undefined,
    async verify(token, request) {
      const verified = verifyCustom
        ? await verifyCustom(token, request)
        : await verifyAccessToken(token, rules, await keys())
      if (verified.kind === 'invalid') return verified
      const own = audience === undefined ? [resourceId(request.resource)] : listOf(audience)
      const problem = findAudienceProblem(verified.auth.audience, { own, others })
      return problem === undefined ? { ...verified, upstream: rules.upstream } : invalid(problem)
    },
  }
}

function byFunction(verify: TokenVerifier): VerifyToken {
  return async (token, request) => {
    const auth = await verify(token, request)
    if (auth === undefined) return invalid('its issuer does not recognize it')
    return auth.expiresAt > Date.now() ? { kind: 'valid', auth } : invalid('it has expired')
  }
}

/** Not believed, only used to find who can tell. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined // not a JWT
  }
}

function warnIfWeak({ issuer, acceptTyp, claims }: IssuerRules, hasVerifier: boolean): void {
  const takesAny = acceptTyp?.some((typ) => typ.toLowerCase() === 'jwt') === true
  if (!takesAny || claims?.check || hasVerifier) return
  const [name = ''] = listOf(issuer)
  warnOnce(
    `tokens of ${name} are accepted without a type that marks them as access tokens (acceptTyp)`,
  )
}
