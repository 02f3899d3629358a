import { X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'

import { memberOf, type ConfigNode } from '@parley/foundation/config'
import { errorMessage } from '@parley/mcp/json'

import { readListenerTls, type ListenerTls } from '../identity/listener-tls.ts'
import type { ConfigReader } from './config-reader.ts'

/** `tls: { cert, key, clientCa, requireClientCert }` of `listen`; the files are looked at. */
export function readTls(
  reader: ConfigReader,
  node: ConfigNode | undefined,
  folder: string,
): ListenerTls | undefined {
  if (node === undefined) return undefined
  const key = 'listen.tls'
  const fields = reader.object(node, key, ['cert', 'key', 'clientCa', 'requireClientCert'])
  if (fields === undefined) return undefined
  const path = (name: string): string | undefined => {
    const text = reader.text(fields, name, `${key}.${name}`)
    return text === undefined ? undefined : resolve(folder, text)
  }
  const [cert, privateKey, clientCa] = [path('cert'), path('key'), path('clientCa')]
  const requireClientCert = reader.boolean(fields, 'requireClientCert', `${key}.requireClientCert`)
  if (cert === undefined || privateKey === undefined) {
    const missing = cert === undefined ? 'cert' : 'key'
    reader.fault(node, key, `has no ${missing}`, `Add ${missing}: ${missing}.pem.`)
    return undefined
  }
  if (requireClientCert && clientCa === undefined) {
    const at = memberOf(fields, 'requireClientCert')?.node ?? node
    const fix = 'Add clientCa: ca.pem, who issues certificates of callers.'
    reader.fault(at, `${key}.requireClientCert`, 'needs clientCa', fix)
    return undefined
  }
  const tls: ListenerTls = {
    cert,
    key: privateKey,
    ...(clientCa !== undefined && { clientCa }),
    ...(requireClientCert !== undefined && { requireClientCert }),
  }
  checkFiles(reader, fields, key, tls)
  return tls
}

function checkFiles(reader: ConfigReader, node: ConfigNode, key: string, tls: ListenerTls): void {
  try {
    const { cert, key: privateKey, ca } = readListenerTls(tls)
    createSecureContext({ cert, key: privateKey, ...(ca !== undefined && { ca }) })
    for (const [name, text] of [['cert', cert] as const, ['clientCa', ca] as const]) {
      if (text === undefined) continue
      const { validTo } = new X509Certificate(text)
      if (Date.parse(validTo) > Date.now()) continue
      const at = memberOf(node, name)?.node ?? node
      reader.warn(at, `${key}.${name}`, `has expired: ${validTo}`, 'Renew it.')
    }
  } catch (error) {
    const fix = 'Name a certificate and its key in PEM.'
    reader.fault(node, key, `cannot be used: ${errorMessage(error)}`, fix)
  }
}
