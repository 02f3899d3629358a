import { McpError } from '../../../rpc/errors/mcp-error.ts'
import type { HttpHeaders } from './http-request.ts'

/** The headers with names in lower case, so that one name is one header. Throws for a name or value HTTP does not allow. */
export function checkHeaders(headers: HttpHeaders): HttpHeaders {
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const isValid = /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    if (!isValid) {
      // The value may be a secret: it is not shown.
      const message = `header ${JSON.stringify(name)}: HTTP does not allow this name or value`
      throw new McpError('invalid_target', message, { details: { target: name } })
    }
    checked[name.toLowerCase()] = value
  }
  return checked
}

/** The `Basic` scheme for the user and password of a URL, which are percent-encoded there. */
export function basicAuthorization(username: string, password: string): string {
  const pair = `${decode(username)}:${decode(password)}`
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(pair)))}`
}

/** A `%` that encodes nothing stands for itself, as in every other part of a URL. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
