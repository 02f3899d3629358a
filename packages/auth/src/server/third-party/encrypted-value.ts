import { hkdfSync } from 'node:crypto'

import { parseJsonObject } from '@parley/mcp/json'

import { decryptText, encryptText } from '../../node/encrypted-text.ts'
import { type JsonObject } from '../../shared/json.ts'

/** Text that is of no use to who reads the store but has not the server's secret. `about` must be the same again. */
export function encryptValue(value: object, secret: string, about: string): string {
  const sealed = encryptText(JSON.stringify(value), keyFrom(secret), about)
  return Buffer.from(sealed).toString('base64url')
}

/** Undefined if it was changed, moved, or sealed by somebody else. */
export function decryptValue(text: string, secret: string, about: string): JsonObject | undefined {
  const sealed = Buffer.from(text, 'base64url').toString('utf8')
  return parseJsonObject(decryptText(sealed, keyFrom(secret), about) ?? '')
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'what third parties gave us', 32))
}
