import type { DocumentFetch } from '../../shared/json-document.ts'

/** Parameters of a token request that everybody may know. */
const open = new Set([
  'grant_type',
  'client_id',
  'redirect_uri',
  'resource',
  'scope',
  'audience',
  'requested_token_type',
  'subject_token_type',
  'actor_token_type',
  'client_assertion_type',
])

/** Notes what a request presents, to find it again in the answer. */
export interface Presentation {
  /** The one that was given, noting what goes by. */
  readonly fetch: DocumentFetch['fetch']
  /** A stranger's words without what was presented, whole or in part. */
  clean(text: string): string
}

export function notePresentedSecrets(fetch: Presentation['fetch']): Presentation {
  const secrets = new Set<string>()

  function note({ body, headers }: RequestInit): void {
    if (body instanceof URLSearchParams) {
      for (const [name, value] of body) if (!open.has(name)) secrets.add(value)
    }
    for (const name of ['authorization', 'dpop']) {
      const value = new Headers(headers).get(name)
      if (value !== null) secrets.add(value.replace(/^\w+ /, ''))
      if (value?.startsWith('Basic ')) secrets.add(passwordOf(value))
    }
  }

  return {
    fetch(url, init = {}) {
      note(init)
      return fetch(url, init)
    },
    clean(text) {
      const encoded = [...secrets].map((secret) => encodeURIComponent(secret))
      return withoutEchoes(text.slice(0, longest), [...secrets, ...encoded])
    },
  }
}

/** More is not looked at, nor shown. */
const longest = 2_000

/** The length of a match that is not an accident. */
const minMatchLength = 8

/** Takes out whole secrets, and every piece of one that tells something. */
export function withoutEchoes(text: string, secrets: readonly string[]): string {
  let clean = ''
  for (let at = 0; at < text.length;) {
    const length = Math.max(...secrets.map((secret) => sharedAt(text, at, secret)), 0)
    clean += length === 0 ? text[at] : '•••'
    at += Math.max(1, length)
  }
  return clean
}

/** How long the piece of the secret is that stands there; 0 for one that tells nothing. */
function sharedAt(text: string, at: number, secret: string): number {
  if (secret === '') return 0
  const least = Math.min(minMatchLength, secret.length)
  if (!secret.includes(text.slice(at, at + least)) || at + least > text.length) return 0
  let length = least
  while (at + length < text.length && secret.includes(text.slice(at, at + length + 1))) length += 1
  return length
}

function passwordOf(basic: string): string {
  try {
    const [, password = ''] = /:(.*)$/s.exec(atob(basic.slice('Basic '.length))) ?? []
    return decodeURIComponent(password)
  } catch {
    return ''
  }
}
