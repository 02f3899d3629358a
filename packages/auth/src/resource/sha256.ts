import { base64url } from 'jose'

/** SHA-256 in base64url, by what every runtime has. */
export async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64url.encode(new Uint8Array(bytes))
}
