import type { BrowserAuthOptions } from '@parley/auth/client'

export interface Person extends Pick<BrowserAuthOptions, 'open' | 'receive' | 'redirectUri'> {
  /** What the browser was sent to. */
  readonly visited: URL[]
}

/** Somebody who agrees to everything: looks where the issuer's page leads, and goes there unless a test says otherwise. */
export function createPerson(
  redirectUri = 'http://127.0.0.1:3000/callback',
  change: (callback: URL) => URL = (callback) => callback,
): Person {
  const visited: URL[] = []
  let arrive: (callback: URL) => void = () => {}
  let callback = new Promise<URL>((resolve) => (arrive = resolve))
  return {
    visited,
    redirectUri,
    async open(url) {
      visited.push(url)
      const page = await fetch(url, { redirect: 'manual' })
      const location = page.headers.get('location')
      if (location !== null) arrive(change(new URL(location)))
    },
    async receive() {
      const arrived = await callback
      callback = new Promise<URL>((resolve) => (arrive = resolve))
      return arrived
    },
  }
}
