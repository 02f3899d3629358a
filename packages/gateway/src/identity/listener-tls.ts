import { readFileSync } from 'node:fs'

import type { OnError } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'
import type { ServerTls, TlsFiles } from '@parley/mcp/node'

import { watchFiles } from '../config/watch-files.ts'

/** The files of a listener with HTTPS, in PEM. */
export interface ListenerTls {
  /** The certificate, and those between it and a known one. */
  readonly cert: string
  /** The file of the private key. */
  readonly key: string
  /** The authority for callers' certificates. @defaultValue callers are not asked for one */
  readonly clientCa?: string | undefined
  /** Nobody without a certificate is heard at all. @defaultValue false: others may have keys or tokens */
  readonly requireClientCert?: boolean | undefined
}

/** Returns the current contents of the files. Throws if one cannot be read. */
export function readListenerTls({
  cert,
  key,
  clientCa,
  requireClientCert,
}: ListenerTls): ServerTls {
  return {
    cert: readFileSync(cert, 'utf8'),
    key: readFileSync(key, 'utf8'),
    ...(clientCa !== undefined && { ca: readFileSync(clientCa, 'utf8') }),
    requireCertificate: requireClientCert,
  }
}

/** Takes over files that were written; those that cannot be used change nothing, and are told of. */
export function renewTls(
  tls: ListenerTls,
  replace: (files: TlsFiles) => void,
  onError: OnError,
): Disposable {
  const { cert, key, clientCa } = tls
  const files = [cert, key, ...(clientCa === undefined ? [] : [clientCa])]
  return watchFiles(files, () => {
    try {
      replace(readListenerTls(tls))
    } catch (error) {
      const why = `the files of listen.tls cannot be used, and those from before stay: ${errorMessage(error)}`
      onError(new Error(why, { cause: error }), { severity: 'error', operation: 'tls' })
    }
  })
}
