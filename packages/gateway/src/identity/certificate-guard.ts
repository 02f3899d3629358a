import type { AuthInfo } from '@parley/mcp'
import type { ClientCertificate, GuardDenial, HttpGuard } from '@parley/mcp/http'

/** The issuer of callers with certificates, in place of an issuer of tokens. */
export const certificateIssuer = 'certificate'

/**
 * Lets in who shows a certificate that was verified, as whom it names: a URI, an email address or a host among its names,
 * else its common name. One that was not is refused, whatever else the caller has. Who shows none is asked by `others`.
 */
export function certificateGuard(others?: HttpGuard): HttpGuard {
  const authorize = others?.authorize?.bind(others)
  return {
    ...(authorize && {
      authorize: (auth, operation) =>
        auth?.issuer === certificateIssuer ? { kind: 'allow', auth } : authorize(auth, operation),
    }),
    ...(others?.watch && { watch: others.watch.bind(others) }),
    ...(others?.route && { route: others.route.bind(others) }),
    authenticate(request) {
      const shown = request.certificate?.()
      if (shown === undefined) {
        return others?.authenticate(request) ?? deny('this gateway needs a client certificate')
      }
      const who = callerNamed(shown)
      if (shown.problem !== undefined) return reject(who, shown.problem)
      if (shown.expiresAt <= Date.now()) return reject(who, 'its certificate has expired')
      if (who === '') return reject(shown.fingerprint, 'its certificate has no name')
      return { kind: 'allow', auth: authOf(shown, who) }
    },
  }
}

function callerNamed({ alternativeNames, commonName }: ClientCertificate): string {
  for (const kind of ['URI:', 'email:', 'DNS:']) {
    const found = alternativeNames.find((name) => name.startsWith(kind))
    if (found !== undefined) return found.slice(kind.length)
  }
  return commonName ?? ''
}

function authOf(certificate: ClientCertificate, subject: string): AuthInfo {
  const { fingerprint, expiresAt, alternativeNames, commonName, issuer } = certificate
  return {
    issuer: certificateIssuer,
    subject,
    clientId: fingerprint,
    scopes: new Set(),
    audience: [],
    expiresAt,
    claims: {
      keyId: fingerprint,
      names: alternativeNames,
      certificateIssuer: issuer,
      ...(commonName !== undefined && { commonName }),
    },
  }
}

/** The log says who it was; the caller, what is wrong. */
function reject(who: string, problem: string): GuardDenial {
  const why = `a caller with the certificate of ${JSON.stringify(who.slice(0, 200))} was refused: ${problem}`
  return { ...deny(problem), cause: new Error(why) }
}

function deny(message: string): GuardDenial {
  return { kind: 'deny', status: 401, headers: {}, message }
}
