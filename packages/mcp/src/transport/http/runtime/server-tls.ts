import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http'
import type { TLSSocket } from 'node:tls'

import type { OnError } from '../../../rpc/errors/on-error.ts'
import type { ClientCertificate } from '../http-options.ts'

/** The certificate of a listener, and the authorities whose client certificates it accepts. */
export interface ServerTls extends TlsFiles {
  /**
   * Whether a client must show a certificate of `ca` before it is heard at all. Otherwise it may: a guard finds what was
   * shown, and what is wrong with it. @defaultValue false
   */
  readonly requireCertificate?: boolean | undefined
}

/** Texts in PEM; they may be replaced while it runs. */
export interface TlsFiles {
  /** The certificate, and those between it and a known one. */
  readonly cert: string
  /** The private key of the certificate. */
  readonly key: string
  /** Authorities that issue certificates of clients. @defaultValue clients are not asked for one */
  readonly ca?: string | undefined
}

/** A server of HTTPS that can change its certificate; refused handshakes are told of. */
export async function createTlsServer(
  tls: ServerTls,
  limits: ServerOptions,
  listener: RequestListener,
  onError: OnError,
): Promise<{ readonly http: Server; replace(files: TlsFiles): void }> {
  const { createServer } = await import('node:https')
  const { requireCertificate = false, ca } = tls
  const http = createServer(
    {
      ...limits,
      ...filesOf(tls),
      minVersion: 'TLSv1.2',
      requestCert: ca !== undefined,
      rejectUnauthorized: requireCertificate,
      // A session that is resumed is not asked for its certificate again: one that has expired meanwhile would get in.
      sessionTimeout: 300,
    },
    listener,
  )
  http.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const who = socket.remoteAddress ?? 'a client'
    const why = `a connection of ${who} was refused: ${reasonOf(error.code, error.message)}`
    onError(new Error(why, { cause: error }), { severity: 'warning', operation: 'tls' })
  })
  return {
    http,
    replace: (files) => http.setSecureContext({ ...filesOf(files), minVersion: 'TLSv1.2' }),
  }
}

function filesOf({ cert, key, ca }: TlsFiles) {
  return { cert, key, ...(ca !== undefined && { ca }) }
}

const certificates = new WeakMap<object, ClientCertificate | undefined>()

/** The certificate that the client of a request has shown; undefined if it has none. Looked at once for a connection. */
export function certificateOf({ socket }: IncomingMessage): ClientCertificate | undefined {
  if (!('getPeerCertificate' in socket)) return undefined
  if (certificates.has(socket)) return certificates.get(socket)
  const found = readCertificate(socket as TLSSocket) // it has the method of one
  certificates.set(socket, found)
  return found
}

function readCertificate(socket: TLSSocket): ClientCertificate | undefined {
  const shown = socket.getPeerCertificate()
  if (shown.fingerprint256 === undefined) return undefined
  const { CN: name } = shown.subject
  const error: unknown = socket.authorizationError
  const problem = socket.authorized ? undefined : reasonOf(codeOf(error), '')
  return {
    commonName: Array.isArray(name) ? name[0] : name,
    alternativeNames: splitNames(shown.subjectaltname ?? ''),
    issuer: String(shown.issuer.CN ?? ''),
    fingerprint: shown.fingerprint256.replaceAll(':', '').toLowerCase(),
    expiresAt: Date.parse(shown.valid_to),
    ...(problem !== undefined && { problem }),
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** `URI:spiffe://a, DNS:"b, c"`: names with odd characters are quoted as JSON. */
function splitNames(text: string): readonly string[] {
  return [...text.matchAll(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g)].map(([part]) =>
    part.trim().replace(/"((?:[^"\\]|\\.)*)"/, (quoted) => String(JSON.parse(quoted))),
  )
}

const unknownIssuer = 'its certificate is from an authority that this server does not know'

const reasons: { readonly [code: string]: string | undefined } = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: 'it showed no certificate',
}

function reasonOf(code: string | undefined, message: string): string {
  return reasons[code ?? ''] ?? `its certificate cannot be used (${code ?? message})`
}
