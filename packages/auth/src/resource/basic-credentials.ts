import { base64url } from 'jose'

/** `Authorization` by a client's id and secret, form-encoded before they are joined (RFC 6749 section 2.3.1). */
export function basicCredentials(clientId: string, clientSecret: string): string {
  const text = new TextEncoder().encode(`${encodeForm(clientId)}:${encodeForm(clientSecret)}`)
  const url = base64url.encode(text).replaceAll('-', '+').replaceAll('_', '/')
  return `Basic ${url.padEnd(Math.ceil(url.length / 4) * 4, '=')}`
}

function encodeForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
