import { X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'

import { errorMessage } from '@parley/mcp/json'

import { readListenerTls, type ListenerTls } from '../identity/listener-tls.ts'
import type { ConfigFaults } from './config-faults.ts'

/** `listen.tls` with paths from the folder of the file. */
export function tlsSettings(tls: ListenerTls, folder: string): ListenerTls {
  const { cert, key, clientCa, requireClientCert } = tls
  return {
    cert: resolve(folder, cert),
    key: resolve(folder, key),
    ...(clientCa !== undefined && { clientCa: resolve(folder, clientCa) }),
    ...(requireClientCert !== undefined && { requireClientCert }),
  }
}

/** Looks at the files: they must fit each other, and should not have expired. */
export function checkTlsFiles(tls: ListenerTls, faults: ConfigFaults): void {
  const path = ['listen', 'tls']
  try {
    const { cert, key, ca } = readListenerTls(tls)
    createSecureContext({ cert, key, ...(ca !== undefined && { ca }) })
    for (const [name, text] of [['cert', cert] as const, ['clientCa', ca] as const]) {
      if (text === undefined) continue
      const { validTo } = new X509Certificate(text)
      if (Date.parse(validTo) > Date.now()) continue
      faults.warn([...path, name], `has expired: ${validTo}`, 'Renew it.')
    }
  } catch (error) {
    const fix = 'Name a certificate and its key in PEM.'
    faults.fault(path, `cannot be used: ${errorMessage(error)}`, fix)
  }
}
